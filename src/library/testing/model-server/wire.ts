import { writeJudgeReply } from '../judge-reply.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { Usage } from '../../../core/schema/usage.ts';
import type { ReceivedRequest, ScriptedAnswer } from './script.ts';

/** An event of a streamed reply. */
export interface WireEvent {
  readonly event?: string;
  /** The JSON payload; `[DONE]` is sent unchanged. */
  readonly data: Json;
}

/** A reply in the two forms that an API has, whole and streamed. */
export interface WireReply {
  readonly whole: Json;
  readonly events: readonly WireEvent[];
}

/** A scripted answer with its defaults filled in. */
export interface FilledAnswer extends ScriptedAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: NonNullable<ScriptedAnswer['toolCalls']>;
  readonly finishReason: NonNullable<ScriptedAnswer['finishReason']>;
  readonly usage: Usage | null;
  readonly model: string;
}

/** Fills in the defaults of a scripted answer: one token for every four characters, and the finish reason that fits. */
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

/** Returns the JSON of a value, and a text unchanged, so that a script can send arguments that are not JSON. */
export function argumentsText(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? {});
}
