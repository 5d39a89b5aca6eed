import { writeJudgeReply } from '../judge-reply.ts';
import type { Json } from '../../schema/json.ts';
import type { Usage } from '../../schema/trial.ts';
import type { ReceivedRequest, ScriptedAnswer } from './script.ts';

/** An event of a streamed reply. */
export interface WireEvent {
  readonly event?: string;
  /** `[DONE]` is sent as it is. */
  readonly data: Json;
}

/** A reply in both of the forms that an API has. */
export interface WireReply {
  readonly whole: Json;
  readonly events: readonly WireEvent[];
}

/** What a reply is made of when the script leaves it open. */
export interface FilledAnswer extends ScriptedAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: NonNullable<ScriptedAnswer['toolCalls']>;
  readonly finishReason: NonNullable<ScriptedAnswer['finishReason']>;
  readonly usage: Usage | null;
  readonly model: string;
}

/** Fills in what the script leaves open: a token for every four characters, and the reason that fits. */
export function fillAnswer(answer: ScriptedAnswer, request: ReceivedRequest): FilledAnswer {
  const { judgement, reasoning = '', toolCalls = [] } = answer;
  const { text = judgement === undefined ? '' : writeJudgeReply(judgement, request.prompt) } = answer;
  const outputTokens = Math.ceil((text.length + reasoning.length + JSON.stringify(toolCalls).length - 2) / 4);
  const inputTokens = Math.ceil((request.system.length + request.prompt.length) / 4);
  const thoughts = reasoning === '' ? {} : { reasoningTokens: Math.ceil(reasoning.length / 4) };
  return {
    usage: { inputTokens, outputTokens, ...thoughts },
    finishReason: toolCalls.length > 0 ? 'tool-calls' : 'stop',
    model: request.model,
    ...answer,
    text,
    reasoning,
    toolCalls,
  };
}

/** Cuts a text into pieces as a model would send them: words with the space before them. */
export function toPieces(text: string): string[] {
  // Not by matching words: a word of millions of characters would overflow the stack of the pattern.
  return text === '' ? [] : text.split(/(?<=\S)(?=\s)/);
}

/** A value's JSON, or a text as it is: so that a script can send arguments that are no JSON. */
export function argumentsText(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? {});
}
