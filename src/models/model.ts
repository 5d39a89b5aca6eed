import { z } from 'zod';
import { type Definition, define, type Factory, type NamedUse } from '../lib/define.ts';
import type { Json } from '../schema/json.ts';
import type { Message, ToolCall } from '../schema/message.ts';
import type { Usage } from '../schema/trial.ts';
import type { RateLimiter } from './account/rate-limiter.ts';
import type { ChatAttempt, ChatExchange } from './model-failure.ts';

/** A message to a model, or from one. */
export interface ChatMessage extends Message {
  /**
   * What the provider that wrote this message wants back unchanged when the conversation goes on, such as signed
   * thinking. Other providers ignore it, and it need not be kept with a transcript.
   */
  continuation?: { readonly protocol: string; readonly parts: Json };
}

/** A tool that a model may ask for. */
export interface ToolSpec {
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON Schema of the arguments, an object's. */
  readonly parameters: Readonly<Record<string, Json>>;
}

/** Whether a model may, must not or must use a tool, or which one it must use. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly tool: string };

/** What is put to a model. Whatever is left out is left to the model's options, then to the provider. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolSpec[] | undefined;
  readonly toolChoice?: ToolChoice | undefined;
  /** The answer is to be JSON of this schema. */
  readonly responseSchema?:
    | { readonly name: string; readonly schema: Readonly<Record<string, Json>> }
    | undefined;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly seed?: number | undefined;
  readonly stop?: readonly string[] | undefined;
  /** Most tokens that the model may write, reasoning included. */
  readonly maxTokens?: number | undefined;
  /** Asks for the reply in pieces, which gives the time to the first token. */
  readonly stream?: boolean | undefined;
}

/** Why a model stopped writing. */
export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'other';

/** A tool that a model asks for. Arguments that are no JSON object are kept as they came, and not guessed at. */
export interface RequestedToolCall extends Pick<ToolCall, 'name' | 'arguments'> {
  readonly id: string;
  /** What the model wrote in place of arguments that can be read; then there are no `arguments`. */
  readonly unreadableArguments?: string;
}

/** A model's reply in one shape whatever the provider. */
export interface ChatReply {
  /** The answer without any reasoning; null when there is none. */
  readonly text: string | null;
  /** What the model thought before it answered, in whichever form the provider gives it. */
  readonly reasoning?: string | undefined;
  readonly toolCalls: readonly RequestedToolCall[];
  readonly finishReason: FinishReason;
  /** The reply as a message, to go on with the conversation. */
  readonly message: ChatMessage;
  readonly usage?: Usage | undefined;
  /** In US dollars; absent when unknown. */
  readonly cost?: number | undefined;
  /** The model that the provider says has answered. */
  readonly model?: string | undefined;
  /** Milliseconds of the attempt that succeeded, without any waiting of ours. */
  readonly latencyMs: number;
  /** Milliseconds to the first token of anything, reasoning included; only where the reply was streamed. */
  readonly firstTokenMs?: number | undefined;
  /** All requests of this call, the successful one last. */
  readonly attempts: readonly ChatAttempt[];
  readonly exchange: ChatExchange;
}

/** What bounds a call. */
export interface ChatContext {
  readonly signal: AbortSignal;
  /** Told when the call begins (true) and ends (false) to wait for its turn; `isRepeat` where it was made before. */
  readonly onWaiting?: ((isWaiting: boolean, isRepeat?: boolean) => void) | undefined;
}

/** A chat model, wherever it runs. */
export interface ChatModel {
  /** As the provider calls it. */
  readonly name: string;
  /** Changes with whatever can change its answers: the kind, its version, the model's name, address and parameters. */
  readonly fingerprint: string;
  /** Makes sure that keys and packages are there and the server can be reached, without paying. Throws `TouchstoneError`. */
  open?(): Promise<void>;
  /** Asks once, and again after passing faults. Throws `ModelFailure`. */
  generate(request: ChatRequest, context: ChatContext): Promise<ChatReply>;
  /** What a call with this many tokens costs in US dollars; undefined when the price is not known. */
  priceOf(usage: Usage): Promise<number | undefined>;
  /** Frees what the model holds, such as a loaded file. */
  close?(): Promise<void>;
}

/** What Touchstone hands to a model. */
export interface ModelNeeds {
  /** Paths in the options are relative to this folder: that of the config file. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Holds the limits of accounts; the one of this process when left out. */
  readonly rateLimiter?: RateLimiter | undefined;
}

/** A model as it is registered: its name, its options and how it is made of them. */
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
 * The option of a target, a judge or a user that names a model: `openaiChat({ model: 'gpt-5' })` in TypeScript,
 * `{ use: openai-chat, model: gpt-5 }` in YAML. What it gives goes to `needs.resolveModel`.
 */
export const modelOption: z.ZodType<NamedUse | string> = z.lazy(() =>
  z.union([
    z.string().min(1),
    // Not an object schema: that would copy the value, which then no longer knew a definition of the user's own.
    z.any().refine(isUse, 'must be a model, as in `{ use: openai-chat, model: gpt-5 }`'),
  ]),
);

function isUse(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'use' in value && typeof value.use === 'string';
}
