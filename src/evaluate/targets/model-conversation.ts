import { z } from 'zod';
import { messageOf, TouchstoneError } from '../../core/errors.ts';
import type { NamedUse } from '../../core/lib/define.ts';
import { lazily } from '../../core/lib/lazily.ts';
import {
  type BatchApi,
  type ChatMessage,
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  modelOption,
  wordingOptions,
} from '../models/model.ts';
import { ModelFailure } from '../models/model-failure.ts';
import type { Message, ToolCall } from '../../core/schema/message.ts';
import type { Latency } from '../../core/schema/usage.ts';
import { sumKnown, sumUsage } from '../../core/schema/usage.ts';
import {
  abortedFailure,
  type Reply,
  type TargetContext,
  TargetFailure,
  type TargetRequest,
} from './target.ts';
import { nonEmpty } from '../../core/schema/json.ts';

/** The parts of a conversation that stay the same in all of its steps. */
export interface ConversationSettings {
  readonly model: ChatModel;
  /** Tools and parameters. */
  readonly request: Omit<ChatRequest, 'messages'>;
  readonly context: TargetContext;
  /** The messages to send, each with the form to keep where that differs. */
  readonly messages: readonly { readonly sent: Message; readonly kept?: Message }[];
}

/** A conversation with a model. It keeps the messages and adds up usage and cost. */
export interface Conversation {
  /** Asks the model for its next message. Throws `TargetFailure` with the conversation so far. */
  step(): Promise<ChatReply>;
  /** Adds the results of the tools that the model asked for in the last step. */
  addResults(calls: ToolCall[]): void;
  /** Returns the reply; its answer is the text of the last step. */
  finish(): Reply;
  /** Returns a failure that contains the conversation so far. */
  fail(failure: TargetFailure): TargetFailure;
}

const warnings: Partial<Record<ChatReply['finishReason'], string>> = {
  length: 'The model was cut off at its limit of tokens.',
  'content-filter': "The provider's content filter ended the reply.",
};

/** Begins a conversation. */
export function beginConversation({ model, request, context, messages }: ConversationSettings): Conversation {
  const sent: ChatMessage[] = messages.map((message) => message.sent);
  const transcript: Message[] = messages.map((message) => message.kept ?? message.sent);
  const consumption = createConsumption();
  const logs: string[] = [];
  let last: ChatReply | undefined;
  /** True when no time was measured, since a batch has answered. */
  let isUntimed = false;

  const ask = async (): Promise<ChatReply> => {
    const whole = { ...request, messages: sent };
    if (context.askInBatch !== undefined) {
      isUntimed = true;
      const answered = await context.askInBatch(model, whole);
      if (answered !== undefined) return answered;
      isUntimed = false;
    }
    return await model.generate(whole, context);
  };

  const fail = (failure: TargetFailure) =>
    failure.with({
      partial: { transcript, ...consumption.total() },
      latency: isUntimed ? null : consumption.latency(),
      logs: [...logs, failure.logs ?? ''].filter((text) => text !== '').join('\n') || undefined,
    });

  return {
    fail,
    step: async () => {
      if (context.signal.aborted) throw fail(abortedFailure(context.signal));
      const start = performance.now();
      try {
        last = await ask();
      } catch (error) {
        if (error instanceof ModelFailure) consumption.addRetries(Math.max(0, error.attempts.length - 1));
        throw fail(toTargetFailure(error, context.signal));
      }
      consumption.add(last, performance.now() - start);
      sent.push(last.message);
      transcript.push(toMessage(last));
      const warning = warnings[last.finishReason];
      if (warning !== undefined) logs.push(warning);
      return last;
    },
    addResults: (calls) => {
      const sentCalls = calls.map(({ fault: _fault, withheld: _withheld, ...call }) => call);
      sent.push({ ...(sent.pop() as ChatMessage), toolCalls: sentCalls }, ...sentCalls.map(toToolMessage));
      transcript.push({ ...(transcript.pop() as Message), toolCalls: calls });
    },
    finish: () => ({
      answer: last?.text === '' ? null : (last?.text?.toWellFormed() ?? null),
      toolCalls: transcript.slice(messages.length).flatMap(({ toolCalls = [] }) => toolCalls),
      transcript,
      ...consumption.total(),
      latency: isUntimed ? null : consumption.latency(),
      ...(last?.batch !== undefined && { batch: last.batch, startedAt: last.batch.submittedAt }),
      ...(last !== undefined && { finishReason: last.finishReason }),
      ...refusalOf(last),
      ...(logs.length > 0 && { logs: logs.join('\n') }),
    }),
  };
}

/** Returns the provider's word for a refusal: one that it says, or a filter that left no text. */
function refusalOf(last: ChatReply | undefined): Pick<Reply, 'refused'> {
  if (last === undefined) return {};
  const { refused, finishReason, finishWord = finishReason, text } = last;
  const isFiltered = finishReason === 'content-filter' && (text ?? '').trim() === '';
  const word = refused ?? (isFiltered ? finishWord : undefined);
  return word === undefined ? {} : { refused: word };
}

/** The consumption of the steps of a conversation, added up. */
interface Consumption {
  add(reply: ChatReply, elapsedMs: number): void;
  /** Adds requests that were repeated for a step that failed in the end. */
  addRetries(count: number): void;
  /** Returns the totals. A value that one step does not report is unknown for all. */
  total(): Pick<Reply, 'usage' | 'cost' | 'retries'>;
  /** Returns the latency without waiting and failed requests; the first token is the first token of the last step. */
  latency(): Latency;
}

/** Starts counting, and measuring time. */
function createConsumption(): Consumption {
  const startedAt = performance.now();
  const replies: ChatReply[] = [];
  let idleMs = 0;
  let failedRetries = 0;
  return {
    add: (reply, elapsedMs) => {
      replies.push(reply);
      idleMs += Math.max(0, elapsedMs - reply.latencyMs);
    },
    addRetries: (count) => {
      failedRetries += count;
    },
    total: () => ({
      ...spentOn(replies),
      retries: replies.reduce((sum, { attempts }) => sum + Math.max(0, attempts.length - 1), failedRetries),
    }),
    latency: () => {
      const totalMs = round(Math.max(0, performance.now() - startedAt - idleMs));
      const last = replies.at(-1);
      const firstTokenMs =
        last?.firstTokenMs === undefined ? undefined : round(totalMs - last.latencyMs + last.firstTokenMs);
      return {
        totalMs,
        ...(firstTokenMs !== undefined && { firstTokenMs: Math.max(0, firstTokenMs) }),
        ...(replies.length > 0 && { stepsMs: replies.map(({ latencyMs }) => latencyMs) }),
      };
    },
  };
}

function spentOn(replies: readonly ChatReply[]): Pick<Reply, 'usage' | 'cost'> {
  const usage = sumUsage(replies.map((reply) => reply.usage));
  const cost = sumKnown(replies.map((reply) => reply.cost));
  return { ...(usage !== undefined && { usage }), ...(cost !== undefined && { cost }) };
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}

/** Returns the message that gives a tool's outcome to the model. The transcript keeps the outcome with the call instead. */
function toToolMessage({ id, name, result = null, error }: ToolCall): Message {
  const content = error ?? (typeof result === 'string' ? result : JSON.stringify(result));
  return { role: 'tool', content, name, ...(id !== undefined && { toolCallId: id }) };
}

/** Returns a reply as it is stored, without what only the provider can read. */
function toMessage({ text, reasoning, message }: ChatReply): Message {
  return {
    role: 'assistant',
    content: text?.toWellFormed() ?? null,
    ...(reasoning !== undefined && reasoning !== '' && { reasoning: reasoning.toWellFormed() }),
    ...(message.toolCalls !== undefined && { toolCalls: message.toolCalls }),
  };
}

/** Converts an error of the model. It is never retryable: the model's account has already waited for transient failures. */
function toTargetFailure(error: unknown, signal: AbortSignal): TargetFailure {
  if (signal.aborted) return abortedFailure(signal);
  if (error instanceof TargetFailure) return error;
  const code = error instanceof ModelFailure ? error.code : 'model-threw';
  return new TargetFailure(code, messageOf(error), { cause: error });
}

/** Returns the batches of the model of a target. Throws `target-invalid` for a target that they cannot answer. */
export function batchesOf(
  { batch }: ChatModel,
  { model, asksOften = false }: Pick<Sampling, 'model'> & { readonly asksOften?: boolean },
): { readonly batch?: BatchApi } {
  if (batch === undefined) return {};
  const isStreamed = typeof model === 'object' && model['stream'] === true;
  if (!asksOften && !isStreamed) return { batch };
  const [reason, other] = asksOften
    ? ['a target with tools asks its model several times about one question', 'tools']
    : ['a batch is not streamed', '`stream`'];
  throw new TouchstoneError('target-invalid', `It cannot be asked in batches: ${reason}.`, {
    remedy: `Leave out \`batch\` or the ${other}.`,
  });
}

/** The options shared by all targets that ask a model. */
export const conversationOptions = lazily(() => ({
  model: modelOption.describe('The model that answers: `{ use: openai-chat, model: gpt-5-mini }`.'),
  variables: z
    .record(nonEmpty(), z.union([z.string(), z.strictObject({ path: nonEmpty() })]))
    .default({})
    .describe('Variables of your own for the prompt: texts, or `{ path }` of a file that contains one.'),
  ...wordingOptions(),
}));

/** The options that go into every request. */
interface Sampling {
  readonly model: NamedUse | string;
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly seed: boolean;
}

/** Returns the parameters of a request. A seed has 31 bits, the most that every provider accepts. */
export function samplingOf(
  { model, temperature, maxTokens, seed }: Sampling,
  request: TargetRequest,
): Pick<ChatRequest, 'temperature' | 'maxTokens' | 'seed'> {
  const hasOwnSeed = typeof model === 'object' && model['seed'] !== undefined;
  return { temperature, maxTokens, seed: seed && !hasOwnSeed ? request.seed & 0x7fff_ffff : undefined };
}

/** Returns a message with another text; its files stand after it, since the text has no place for them. */
export function withContent({ attachments, ...message }: Message, content: string): Message {
  if (attachments === undefined) return { ...message, content };
  return { ...message, content, attachments: attachments.map((file) => ({ ...file, at: content.length })) };
}
