import type { z } from 'zod';
import type { Place } from '../../core/errors.ts';
import { define, type Definition, type Factory, type NamedUse } from '../../core/lib/define.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import type { RateLimiter } from '../models/account/rate-limiter.ts';
import type { BatchApi, ChatModel, ChatReply, ChatRequest } from '../models/model.ts';
import type { Json } from '../../core/schema/json.ts';
import type { Message, Taking, ToolCall, WithFiles } from '../../core/schema/message.ts';
import type { RetrievedDocument, Rewriting, Trial, UnreadMember } from '../../core/schema/trial.ts';
import type { TargetTools, ToolInterceptor, ToolRules } from './tool-use.ts';

export type {
  HandledOutcome,
  TargetTools,
  ToolError,
  ToolInterceptor,
  ToolOutcome,
  ToolRules,
  ToolUse,
} from './tool-use.ts';
import type { BatchRef, Latency, Usage } from '../../core/schema/usage.ts';

/** The conversation that a question is a turn of. A question by itself is a conversation of one turn. */
export interface TargetSession {
  /** The trial's key with a random suffix. A second try at the same trial is a new session with an empty memory. */
  readonly id: string;
  /** Counts from 1. */
  readonly turn: number;
  /** Storage for a target in this process, which lasts until the conversation ends; empty at its beginning. */
  readonly memory: Record<string, unknown>;
}

/** A question as it is put to a target. It contains no expectations, so a target cannot read the answer off it. */
export interface TargetRequest {
  /** Unique to the trial and the turn; usable as an idempotency key. */
  readonly key: string;
  readonly caseId: string;
  /** The question: the text of the last user message. */
  readonly input: string;
  /** The whole conversation so far, with the target's own messages and tool calls; the question is last. */
  readonly messages: readonly Message[];
  readonly session: TargetSession;
  readonly metadata: Readonly<Record<string, Json>>;
  /** Counts from 1. */
  readonly attempt: number;
  readonly seed: number;
  /** The addresses of its tools; missing where the config has no `tools`. */
  readonly tools?: TargetTools;
}

/** The budget of repeated requests after transient failures, shared by all places that repeat. */
export interface Repeats {
  /** The most repeats allowed; 0 allows none, not even after a refusal. */
  readonly most: number;
  /**
   * Takes one repeat from the budget; false when none is left. While the target answers nothing at all, that is known only
   * later. A call that was refused and waits for its turn needs no repeat.
   * @param onWaiting - Called when waiting for the repeat begins (true) and ends (false).
   */
  take(onWaiting?: (isWaiting: boolean) => void): Promise<boolean>;
}

/** The code of a call that a batch is going to answer. No trial ever has it. */
export const callPendingCode = 'call-pending';

/** The surroundings of a call: what a target receives besides the question. */
export interface TargetContext {
  /** Aborted when the time limit is over or the run stops at once. */
  readonly signal: AbortSignal;
  /**
   * Called when the target begins (true) and ends (false) to wait for its turn at a limit that it shares with other calls.
   * `isRepeat` is true when the request was sent before without an answer, or when it belongs to another call. The waiting
   * does not count against the time limit. A call that waits before it was ever answered is given up when its run ends.
   */
  readonly onWaiting?: (isWaiting: boolean, isRepeat?: boolean) => void;
  /** The budget for a target that repeats requests within a call; missing where the caller repeats them. */
  readonly repeats?: Repeats;
  /**
   * Returns the bytes of a picture or another file that a message names by its hash. Missing where no message of the call names one.
   */
  readonly readBlob?: (hash: string) => Promise<Uint8Array>;
  /** Called when an answer arrives after the call was given up. The answer is dropped, and counted. */
  readonly onLate?: () => void;
  /**
   * Returns what a batch has answered; undefined for a request that is to be made by itself. Throws `TargetFailure` with
   * `callPendingCode` for one that waits for a batch, and `ModelFailure`. Missing where nothing is asked in batches.
   */
  readonly askInBatch?: (model: ChatModel, request: ChatRequest) => Promise<ChatReply | undefined>;
  /**
   * Wraps every use of a tool that Touchstone can reach, so that faults can be injected. A target that runs tools
   * passes the function that runs one, and continues with the outcome it receives. Missing when no faults are injected.
   */
  readonly interceptTool?: ToolInterceptor;
}

/** A reply in one shape, whatever the target. */
export interface Reply extends WithFiles {
  readonly answer: string | null;
  readonly toolCalls: ToolCall[];
  /** True when neither the reply nor a recording of it says which tools were used; `toolCalls` is then empty. */
  readonly toolsUnknown?: true;
  /** The calls that it reported of tools that are seen, as in a `Trial`; and further traffic of its tools. */
  readonly reportedCalls?: Trial['reportedCalls'];
  readonly tries?: Trial['tries'];
  readonly toolTraffic?: Trial['toolTraffic'];
  /** The members of a live reply that nothing reads. */
  readonly unread?: readonly UnreadMember[];
  readonly documents?: RetrievedDocument[];
  readonly state?: Json;
  readonly usage?: Usage;
  readonly cost?: number;
  /** The reason why the target stopped writing, such as `stop` or `length`, in its own word. */
  readonly finishReason?: string;
  /** The word with which the provider of the model refused to answer, such as `SAFETY`; absent when it did not. */
  readonly refused?: string;
  /** The whole conversation, when the target reports more than one exchange. */
  readonly transcript?: Message[];
  /** Time to the first token in milliseconds, when the target knows it. */
  readonly firstTokenMs?: number;
  /**
   * The latency as the target knows it better than its caller: the latency of a recorded answer (null when unknown), or that
   * of a call without its waiting. When missing, the duration of the call counts.
   */
  readonly latency?: Latency | null;
  /** The time at which a recorded answer was given, ISO 8601; when missing, the start of the call. */
  readonly startedAt?: string;
  /** The batch in which the question was answered. */
  readonly batch?: BatchRef;
  /** Requests that the target repeated within the call, after transient failures. */
  readonly retries?: number;
  /** The last pause before an answer that was fetched by asking for its status, in milliseconds. */
  readonly polled?: number;
  /** Logs that the target wrote besides its answer. */
  readonly logs?: string;
  /** Values recorded besides the answer, such as a reward, by their names in the file. */
  readonly recorded?: Readonly<Record<string, Json>>;
  /** The question as it was really put, when a condition of the run changed it. */
  readonly asked?: string;
  /** True when a condition of the run never took effect. */
  readonly untouched?: true;
  /** The cost of rephrasing the question, when a model was asked for this call. */
  readonly rewriting?: Rewriting;
}

/** The system under test, seen from outside. */
export interface Target extends Taking {
  /**
   * The number of calls that the target can really process at the same time. No more are sent, so that queueing is not
   * measured as latency.
   */
  readonly maxConcurrency?: number;
  /** True when it listens on a port of this machine that its options fix, so that one process alone can open it. */
  readonly hasFixedPort?: boolean;
  /** Says what to write so that it takes files, where that is not `takes`: a request without a place for them sends none. */
  readonly takesHint?: string;
  /**
   * True when one call returns a whole conversation that took place before. It is then called once, without a simulated user.
   */
  readonly holdsConversation?: boolean;
  /** True when its tools pass through `context.interceptTool`, so that faults can be injected. */
  readonly hasToolsInReach?: boolean;
  /** The batches in which its model is asked, by `context.askInBatch`. */
  readonly batch?: BatchApi;
  /**
   * Returns what its answers depend on, in place of its options: the content of the files that they name, the fingerprint of a
   * model. A different identity is a different target. Throws `TouchstoneError` for a file that cannot be used.
   */
  identity?(): Promise<Json>;
  /**
   * Gets ready and makes sure that the target can be reached, without asking anything. Throws `TouchstoneError` when it
   * cannot.
   * @param tools - The addresses of its tools, where they are the same in all conversations.
   */
  open?(tools?: TargetTools): Promise<void>;
  /**
   * Returns the time of the first of its answers, ISO 8601, for a target whose answers were recorded with their times. Called
   * after `open`. A run of such targets alone has that date.
   */
  recordedAt?(): Promise<string | undefined>;
  /**
   * Gets the files of a question ready, before the time of its call begins: reading them is Touchstone's work and not the bot's. What
   * fails here fails again in the call.
   */
  prepare?(request: TargetRequest, context: Pick<TargetContext, 'readBlob'>): Promise<void>;
  /** Asks one question. Throws `TargetFailure`, or any other error, when there is no usable answer. */
  call(request: TargetRequest, context: TargetContext): Promise<Reply>;
  /** Begins a conversation, for the proxy between a target and its tools; no target itself has it. */
  beginSession?(id: string, rules: ToolRules): void;
  /** Ends a conversation, whatever its outcome. What was stored for the session with this id can be removed. */
  endSession?(id: string): Promise<void>;
  /**
   * Ends what `open` or `call` started. It is also called after a failure, and perhaps twice. A target that was closed can be opened
   * again: a worker whose store was away for long closes everything and begins again.
   */
  close?(): Promise<void>;
}

/** The parts of a `Reply` that a failed call had produced. They are stored, since they were paid for. */
export type PartialReply = Pick<
  Reply,
  | 'transcript'
  | 'tries'
  | 'toolTraffic'
  | 'usage'
  | 'cost'
  | 'finishReason'
  | 'startedAt'
  | 'retries'
  | 'recorded'
  | 'asked'
  | 'untouched'
  | 'rewriting'
>;

/** Details of a `TargetFailure` besides its code and message. */
export interface TargetFailureOptions {
  /** True when the same call may well work a moment later: connection lost, rate limit, overload. */
  readonly retryable?: boolean;
  /** The pause that the target asked for, in milliseconds. */
  readonly retryAfterMs?: number;
  /** Logs that the target wrote before the failure. */
  readonly logs?: string;
  /** The latency, as in a `Reply`. */
  readonly latency?: Latency | null;
  readonly partial?: PartialReply;
  readonly cause?: unknown;
}

/** A call without a usable answer. It becomes a failed trial with this code and message. */
export class TargetFailure extends Error {
  override readonly name = 'TargetFailure';
  readonly code: string;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly logs: string | undefined;
  readonly latency: Latency | null | undefined;
  readonly partial: PartialReply | undefined;

  constructor(code: string, message: string, options: TargetFailureOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.logs = options.logs;
    this.latency = options.latency;
    this.partial = options.partial;
  }

  /** Returns the same failure with some of its parts replaced. */
  with({ message = this.message, ...parts }: TargetFailureOptions & { readonly message?: string }) {
    const { code, retryable, retryAfterMs, logs, latency, partial, cause } = this;
    const own = { retryable, retryAfterMs, logs, latency, partial, cause };
    return new TargetFailure(code, message, { ...own, ...parts });
  }
}

/**
 * Returns the failure of a call that was stopped: the caller's own reason when that is a `TargetFailure`, with the logs so far.
 */
export function abortedFailure(signal: AbortSignal, logs: string = ''): TargetFailure {
  const reason: unknown = signal.reason;
  const options = logs === '' ? { cause: reason } : { cause: reason, logs };
  return reason instanceof TargetFailure
    ? new TargetFailure(reason.code, reason.message, options)
    : new TargetFailure('cancelled', 'the call was stopped', options);
}

/** Returns the options that identify a target: all but those that change no answer, such as limits. */
export function identifyingOptions(options: object, changeNoAnswer: Readonly<Record<string, unknown>>): Json {
  const kept = Object.entries(options).filter(([name]) => !Object.hasOwn(changeNoAnswer, name));
  return parseJson(JSON.stringify(Object.fromEntries(kept)));
}

/** The services that Touchstone provides to a target when it is created. */
export interface TargetNeeds {
  /** The folder of the config file; paths in the options are relative to it. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads the rows of a data file in any dataset format. */
  readRows(path: string): AsyncIterable<{ readonly value: unknown; readonly place: Place }>;
  /** Returns the model that an option names (see `modelOption`). Throws for one that does not exist or has invalid options. */
  resolveModel(use: NamedUse | string): ChatModel;
  /** The rate limiter with the limits of accounts; by default the one of this process. */
  readonly rateLimiter?: RateLimiter;
}

/** A registered target: its name, its options and the function that creates it from them. */
export type TargetDefinition<Options = never> = Definition<'target', Options, Target, TargetNeeds>;

/** Declares a target: one file, one registry line (in tree) or one import in a config (out of tree). */
export function defineTarget<Schema extends z.ZodType>(
  definition: Omit<TargetDefinition<z.output<Schema>>, 'kind' | 'options'> & {
    readonly options: Schema | (() => Schema);
  },
): Factory<'target', z.input<Schema>, z.output<Schema>, Target, TargetNeeds> {
  return define<'target', Schema, Target, TargetNeeds>({ kind: 'target', ...definition });
}
