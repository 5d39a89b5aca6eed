import type { z } from 'zod';
import type { Place } from '../errors.ts';
import { define, type Definition, type Factory, type NamedUse } from '../lib/define.ts';
import type { RateLimiter } from '../models/account/rate-limiter.ts';
import type { ChatModel } from '../models/model.ts';
import type { Json } from '../schema/json.ts';
import type { Message, ToolCall } from '../schema/message.ts';
import type { Latency, RetrievedDocument, Rewriting, Usage } from '../schema/trial.ts';

/** The conversation that a question is a turn of. A question that stands alone is a conversation of one turn. */
export interface TargetSession {
  /** The trial's key with a random end: a second try at the same trial is another session, with nothing of the first in it. */
  readonly id: string;
  /** Counts from 1. */
  readonly turn: number;
  /** For whatever a target in this process wants to remember until the conversation ends; empty at its beginning. */
  readonly memory: Record<string, unknown>;
}

/** What is put to a target. Expectations are not in it, so that no target can read the answer off the question. */
export interface TargetRequest {
  /** Unique to the trial and the turn; good as an idempotency key. */
  readonly key: string;
  readonly caseId: string;
  /** The question: the text of the last user message. */
  readonly input: string;
  /** The whole conversation so far, the question last: with all that the target itself has said, and its tool calls. */
  readonly messages: readonly Message[];
  readonly session: TargetSession;
  readonly metadata: Readonly<Record<string, Json>>;
  /** Counts from 1. */
  readonly attempt: number;
  readonly seed: number;
}

/** Repeats of a question after passing faults, counted together wherever they are made. */
export interface Repeats {
  /** Most that are made; 0 for none at all, not even after a refusal. */
  readonly most: number;
  /**
   * Takes one; false when there are to be no more. Where nothing at all is answered, it may be known only later. A call that
   * was refused and waits for its turn needs none.
   */
  take(): boolean | Promise<boolean>;
}

/** What a target is handed with every call, beside the question. */
export interface TargetContext {
  /** Aborted when the time limit is over or the run is told to stop at once. */
  readonly signal: AbortSignal;
  /**
   * Told when the target begins (true) and ends (false) to wait for its turn at a limit that it shares with other calls;
   * `isRepeat` where the request was made before and has no answer, or is another's. Such time does not count against the
   * time limit, and a call that waits so before it was ever answered is given up when its run ends.
   */
  readonly onWaiting?: ((isWaiting: boolean, isRepeat?: boolean) => void) | undefined;
  /** For a target that makes requests again within a call. Missing where the caller does that. */
  readonly repeats?: Repeats | undefined;
  /** Told of an answer that came after the call was given up: it is dropped, and counted. */
  readonly onLate?: (() => void) | undefined;
  /**
   * Stands around every use of a tool that is in reach of Touchstone, so that faults can be put into it: a target that
   * runs tools hands over how to, and goes on with what it gets back. Missing where nothing is to happen to tools.
   */
  readonly aroundTool?: AroundTool | undefined;
}

/** A use of a tool, before it is made. */
export interface ToolUse {
  readonly name: string;
  readonly arguments: Json;
}

/** A tool's own error, with what programs know it by, such as `{ code: 'ETIMEDOUT' }` or `{ status: 429 }`. */
export interface ToolError {
  readonly error: string;
  readonly details?: { readonly code?: string; readonly status?: number };
}

/** What a tool gave back: a result, or its own error. */
export type ToolOutcome = { readonly result: Json } | ToolError;

/** An outcome with what Touchstone did to it, if anything: to be kept with the tool call. */
export type HandledOutcome = ToolOutcome & Pick<ToolCall, 'fault' | 'withheld'>;

/** Runs a tool, or does something else in its place. */
export type AroundTool = (use: ToolUse, run: () => Promise<ToolOutcome>) => Promise<HandledOutcome>;

/** What came back, in one shape whatever the target. */
export interface Reply {
  readonly answer: string | null;
  readonly toolCalls: ToolCall[];
  /** A recording that does not say which tools were used; `toolCalls` is empty then. */
  readonly toolsUnknown?: true;
  readonly documents?: RetrievedDocument[];
  readonly state?: Json;
  readonly usage?: Usage;
  readonly cost?: number;
  /** The whole conversation, when the target reports more than one exchange. */
  readonly transcript?: Message[];
  /** Time to the first token in milliseconds, when the target knows it. */
  readonly firstTokenMs?: number;
  /**
   * How long the answer took, from a target that knows better than its caller: that of a recorded answer, null
   * when it is not known; that of a call without the time it waited. When left out, the time of the call counts.
   */
  readonly latency?: Latency | null;
  /** Requests that the target made again within the call, after passing faults. */
  readonly retries?: number;
  /** What the target wrote beside its answer. */
  readonly logs?: string;
  /** What was written down beside a recorded answer, such as a reward; by the name it has in its file. */
  readonly recorded?: Readonly<Record<string, Json>>;
  /** The question as it really was put, where a condition of the run changed it. */
  readonly asked?: string;
  /** Under a condition of the run that did not come to bear. */
  readonly untouched?: true;
  /** What putting the question in other words took, where a model was asked for this call. */
  readonly rewriting?: Rewriting;
}

/** The system under test, seen from outside. */
export interface Target {
  /** Calls that it can really work on at the same time; more are not sent, so that waiting is not taken for latency. */
  readonly maxConcurrency?: number;
  /** Whether one call gives a whole conversation that was had before: then it is called once, and nobody plays the user. */
  readonly holdsConversation?: boolean;
  /** Whether its tools pass `context.aroundTool`, so that faults can be put into them. */
  readonly hasToolsInReach?: boolean;
  /**
   * What makes its answers what they are, in place of its options: the content of the files that they name, the
   * fingerprint of a model. Another identity is another target. Throws `TouchstoneError` for a file that cannot be used.
   */
  identity?(): Promise<Json>;
  /** Gets ready and makes sure that it can be reached, without asking anything. Throws `TouchstoneError` when not. */
  open?(): Promise<void>;
  /** Asks once. Throws `TargetFailure`, or anything else, when there is no usable answer. */
  call(request: TargetRequest, context: TargetContext): Promise<Reply>;
  /** A conversation is over, whatever came of it: what was kept for the session with this id can go. */
  endSession?(id: string): Promise<void>;
  /** Ends what `open` or `call` started. Called once, also after a failure. */
  close?(): Promise<void>;
}

/** What a call had come to when it failed: kept, since it was paid for. As in a `Reply`. */
export type PartialReply = Pick<
  Reply,
  'transcript' | 'usage' | 'cost' | 'retries' | 'recorded' | 'asked' | 'untouched' | 'rewriting'
>;

/** What a `TargetFailure` says beside its code and message. */
export interface TargetFailureOptions {
  /** Whether the same call may well work a moment later: connection lost, rate limit, overload. */
  readonly retryable?: boolean;
  /** How long the target asked to be left alone, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** What the target wrote beside the answer it did not give. */
  readonly logs?: string | undefined;
  /** As in a `Reply`. */
  readonly latency?: Latency | null | undefined;
  readonly partial?: PartialReply | undefined;
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

  /** The same failure with some of its parts replaced. */
  with({ message = this.message, ...parts }: TargetFailureOptions & { readonly message?: string }) {
    const { code, retryable, retryAfterMs, logs, latency, partial, cause } = this;
    const own = { retryable, retryAfterMs, logs, latency, partial, cause };
    return new TargetFailure(code, message, { ...own, ...parts });
  }
}

/** What Touchstone hands to a target. */
export interface TargetNeeds {
  /** Paths in the options are relative to this folder: that of the config file. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads the rows of a data file of any format that datasets come in. */
  readRows(path: string): AsyncIterable<{ readonly value: unknown; readonly place: Place }>;
  /** The model that an option names (see `modelOption`). Throws for one that does not exist or is wrongly set. */
  resolveModel(use: NamedUse | string): ChatModel;
  /** Holds the limits of accounts; the one of this process when left out. */
  readonly rateLimiter?: RateLimiter | undefined;
}

/** A target as it is registered: its name, its options and how it is made of them. */
export type TargetDefinition<Options = never> = Definition<'target', Options, Target, TargetNeeds>;

/** Declares a target: one file, one registry line (in tree) or one import in a config (out of tree). */
export function defineTarget<Schema extends z.ZodType>(
  definition: Omit<TargetDefinition<z.output<Schema>>, 'kind' | 'options'> & {
    readonly options: Schema | (() => Schema);
  },
): Factory<'target', z.input<Schema>, z.output<Schema>, Target, TargetNeeds> {
  return define<'target', Schema, Target, TargetNeeds>({ kind: 'target', ...definition });
}
