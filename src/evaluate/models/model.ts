import { z } from 'zod';
import { type Definition, define, type Factory, type NamedUse } from '../../core/lib/define.ts';
import { type Json, nonEmpty, positiveInt } from '../../core/schema/json.ts';
import {
  type AttachmentKind,
  type Taking,
  attachmentKinds,
  type Message,
  type ToolCall,
} from '../../core/schema/message.ts';
import type { BatchRef, Usage } from '../../core/schema/usage.ts';
import type { RateLimiter } from './account/rate-limiter.ts';
import type { ChatAttempt, ChatExchange } from './model-failure.ts';

/** A message to a model, or from one. */
export interface ChatMessage extends Message {
  /**
   * Parts that the provider of this message wants back unchanged when the conversation continues, such as signed
   * thinking. Other providers ignore them, and a transcript need not keep them.
   */
  continuation?: { readonly protocol: string; readonly parts: Json };
}

/** A tool that a model may call. */
export interface ToolSpec {
  readonly name: string;
  readonly description?: string;
  /** The JSON Schema of the arguments, which are an object. */
  readonly parameters: Readonly<Record<string, Json>>;
}

/** The rule for tool calls: the model may, must not or must call a tool, or must call a particular one. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly tool: string };

/**
 * A request to a model. Missing parts are taken from the model's options, then from the provider's defaults.
 */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  /** The bytes of the files that messages name, in base64 by their hash; filled in before a request is written. */
  readonly files?: ReadonlyMap<string, string>;
  readonly tools?: readonly ToolSpec[];
  readonly toolChoice?: ToolChoice;
  /** The schema of the answer, when it must be JSON. */
  readonly responseSchema?: { readonly name: string; readonly schema: Readonly<Record<string, Json>> };
  readonly temperature?: number;
  readonly topP?: number;
  readonly seed?: number;
  readonly stop?: readonly string[];
  /** The largest number of tokens that the model may write, reasoning included. */
  readonly maxTokens?: number;
  /** Asks for a streamed reply, which gives the time to the first token. */
  readonly stream?: boolean;
}

/** The reason why a model stopped writing. */
export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'other';

/** A tool call by a model. Arguments that are not a JSON object stay unchanged, and not guessed at. */
export interface RequestedToolCall extends Pick<ToolCall, 'name' | 'arguments'> {
  readonly id: string;
  /** The text that the model wrote in place of readable arguments; then there are no `arguments`. */
  readonly unreadableArguments?: string;
}

/** A model's reply, in one shape for all providers. */
export interface ChatReply {
  /** The answer without any reasoning; null when there is none. */
  readonly text: string | null;
  /** The model's reasoning before the answer, in whichever form the provider gives it. */
  readonly reasoning?: string;
  readonly toolCalls: readonly RequestedToolCall[];
  readonly finishReason: FinishReason;
  /** The provider's own word for it, such as `max_tokens`; absent when it gave none. */
  readonly finishWord?: string;
  /** The word with which the provider refused to answer, such as `SAFETY`; absent when it did not refuse. */
  readonly refused?: string;
  /** The reply as a message, to continue the conversation with. */
  readonly message: ChatMessage;
  readonly usage?: Usage;
  /** US dollars; absent when unknown. */
  readonly cost?: number;
  /** The way in which the answer in JSON was asked for, where there are several ways: by a schema, as any object, or in the prompt only. */
  readonly structuredOutput?: 'json-schema' | 'json-object' | 'none';
  /** The model that answered, as the provider reports it. */
  readonly model?: string;
  /** Milliseconds of the attempt that succeeded, without Touchstone's own waiting; 0 where a batch has answered. */
  readonly latencyMs: number;
  /** The batch that has answered, if one has. */
  readonly batch?: BatchRef;
  /** Milliseconds to the first token of anything, reasoning included; only where the reply was streamed. */
  readonly firstTokenMs?: number;
  /** All requests of this call; the successful one is the last. */
  readonly attempts: readonly ChatAttempt[];
  readonly exchange: ChatExchange;
}

/** The limits of a call. */
export interface ChatContext {
  /** Returns the bytes of a file that a message names by its hash. */
  readonly readBlob?: (hash: string) => Promise<Uint8Array>;
  readonly signal: AbortSignal;
  /**
   * Called when the call begins (true) and ends (false) to wait for its turn; `isRepeat` is true when the call was made
   * before.
   */
  readonly onWaiting?: (isWaiting: boolean, isRepeat?: boolean) => void;
}

/** The settings of batches. */
export interface BatchSettings {
  /** The fewest requests for which a batch is made; fewer are asked one by one. */
  readonly atLeast: number;
  /** The milliseconds after which a batch is cancelled; no end by default except the provider's. */
  readonly waitMs?: number;
  /** The fate of requests that no batch has answered: they are asked one by one, or have failed. */
  readonly otherwise: 'ask' | 'fail';
  /** The share of the usual price; by default the provider's. */
  readonly price?: number;
}

/** The state of a batch, as its provider says it. */
export interface BatchStatus {
  readonly isEnded: boolean;
  /** Why it ended without results, such as a fault in the file. */
  readonly fault?: string;
  readonly answered: number;
  readonly failed: number;
  /** ISO 8601. */
  readonly endsBefore?: string;
  readonly endedAt?: string;
}

/** A line of the results of a batch: a reply, or why there is none. */
export interface BatchLine {
  /** The name of the request. */
  readonly id: string;
  /** The reply without secrets, in the provider's form. */
  readonly reply?: Json;
  readonly error?: { readonly code: string; readonly message: string; readonly isRetryable: boolean };
}

/** A batch to be submitted. `lines` yields its requests as the provider takes them, as often as it is called. */
export interface BatchOrder {
  /** Its random name. */
  readonly marker: string;
  readonly requests: number;
  readonly lines: () => AsyncIterable<string>;
  /** The uploaded file, where the provider takes one. */
  readonly file?: string;
  /** When its submission began, ISO 8601. */
  readonly since: string;
  /** True when a process has died that may have sent a part of it. */
  readonly isRepeated?: boolean;
}

/**
 * The batches of a model: many requests that are answered within a day, for less. All methods but the first ones ask the provider
 * and throw `ModelFailure`; the failure of `submit` has a status below 500 when nothing was created.
 */
export interface BatchApi {
  /** The fingerprint of the model, and its name. */
  readonly model: string;
  readonly name: string;
  /** The host of the provider. */
  readonly account: string;
  readonly settings: BatchSettings;
  /** The share of the usual price. */
  readonly price: number;
  /** The largest batch that is submitted. */
  readonly limits: { readonly requests: number; readonly bytes: number };
  /** Returns the form in which the server is known to take requests; undefined where there is one only. It is stored with a batch. */
  form(): Json | undefined;
  /** Writes a request as a line. The same request and form always give the same line. */
  write(id: string, request: ChatRequest, form?: Json): string;
  /** Reads the reply to a request that was asked in a form, with its cost. Throws `ModelFailure`. */
  read(reply: Json, form?: Json): Promise<ChatReply>;
  /** Learns from an error whether the server has refused the form, so that the request is worth asking in another one. */
  refusesForm(request: ChatRequest, form: Json | undefined, error: NonNullable<BatchLine['error']>): boolean;
  /** Returns the likely cost of a line in US dollars; undefined when the price is not known. */
  estimate(line: string): Promise<number | undefined>;
  /** Uploads the requests, or finds them uploaded, and returns the name of the file. Missing where they are part of the submission. */
  upload?(order: BatchOrder, signal: AbortSignal): Promise<string>;
  /** Removes the uploaded requests of a batch that is not going to be submitted. Missing where nothing is uploaded. */
  discard?(order: BatchOrder, signal: AbortSignal): Promise<void>;
  /** Submits a batch and returns the name that the provider gives it. */
  submit(order: BatchOrder, signal: AbortSignal): Promise<string>;
  /** Returns the batches at the provider that may be this one. */
  find(order: BatchOrder, signal: AbortSignal): Promise<string[]>;
  check(job: string, signal: AbortSignal): Promise<BatchStatus>;
  /**
   * Yields the results in any order, some perhaps twice.
   * @param inOrder - Returns the names of the requests in the order in which they were submitted.
   */
  results(
    job: string,
    signal: AbortSignal,
    inOrder: () => Promise<readonly string[]>,
  ): AsyncIterable<BatchLine>;
  cancel(job: string, signal: AbortSignal): Promise<void>;
  /** Removes the files of a batch that has been gathered. */
  remove(job: string, signal: AbortSignal): Promise<void>;
}

/** A chat model, wherever it runs. */
export interface ChatModel extends Taking {
  /** The provider's name of the model. */
  readonly name: string;
  /**
   * A hash of everything that can change its answers: the kind and its version, the model's name, address and
   * parameters.
   */
  readonly fingerprint: string;
  /**
   * Checks, without causing costs, that keys and packages exist and the server can be reached. Throws
   * `TouchstoneError`.
   */
  open?(): Promise<void>;
  /** Asks the model, and repeats the call after transient failures. Throws `ModelFailure`. */
  generate(request: ChatRequest, context: ChatContext): Promise<ChatReply>;
  /** The batches of its provider, where they are wanted. */
  readonly batch?: BatchApi;
  /** Returns the cost of a call with this many tokens in US dollars; undefined when the price is unknown. */
  priceOf(usage: Usage): Promise<number | undefined>;
  /** Frees the resources of the model, such as a loaded file. */
  close?(): Promise<void>;
}

/** The environment in which a model is created. */
export interface ModelNeeds {
  /** The folder of the config file, which paths in the options are relative to. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The rate limiter of accounts; by default the one of this process. */
  readonly rateLimiter?: RateLimiter;
}

/** The definition of a model: its name, its options and how it is created. */
export type ModelDefinition<Options = never> = Definition<'model', Options, ChatModel, ModelNeeds>;

/** Declares a model: one file, one registry line (in tree) or one import in a config (out of tree). */
export function defineModel<Schema extends z.ZodType>(
  definition: Omit<ModelDefinition<z.output<Schema>>, 'kind' | 'options'> & {
    readonly options: Schema | (() => Schema);
  },
): Factory<'model', z.input<Schema>, z.output<Schema>, ChatModel, ModelNeeds> {
  return define<'model', Schema, ChatModel, ModelNeeds>({ kind: 'model', ...definition });
}

/**
 * The option of a target, a judge or a user that names a model: `openaiChat({ model: 'gpt-5' })` in TypeScript, `{ use:
 * openai-chat, model: gpt-5 }` in YAML. Its value is resolved with `needs.resolveModel`.
 */
export const modelOption: z.ZodType<NamedUse | string> = z.lazy(() =>
  z.union([
    nonEmpty(),
    // Not an object schema: that would copy the value, which would then lose the user's own definition.
    z.any().refine(isUse, 'must be a model, as in `{ use: openai-chat, model: gpt-5 }`'),
  ]),
);

function isUse(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'use' in value && typeof value.use === 'string';
}

/**
 * Returns the option that says which kinds of files a model or a bot takes. It changes no answer to a question without files.
 * @param kinds - Those that can be sent to it at all.
 * @param byDefault - What is taken where it is not written, in words.
 */
export function takesOption(kinds: readonly AttachmentKind[] = attachmentKinds, byDefault = 'all of these') {
  return z
    .array(z.enum(kinds))
    .optional()
    .describe(
      `What it takes beside text: ${kinds.join(', ')}. By default ${byDefault}. A question with anything else is not put to it, and is not measured.`,
    );
}

/** Returns the options for the words of a model that a target or a simulated user asks. */
export function wordingOptions() {
  return {
    temperature: z
      .number()
      .min(0)
      .max(2)
      .optional()
      .describe("Randomness of the model's words; by default, as in the model's own options."),
    maxTokens: positiveInt()
      .optional()
      .describe("Most tokens of one reply, reasoning included; by default, as in the model's own options."),
    seed: z
      .boolean()
      .default(true)
      .describe("Whether the attempt's seed is sent to the model, unless the model's own options have one."),
  };
}
