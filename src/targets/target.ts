import type { z } from 'zod';
import type { Place } from '../errors.ts';
import { type Definition, define, type Factory } from '../lib/define.ts';
import type { Json } from '../schema/json.ts';
import type { Message, ToolCall } from '../schema/message.ts';
import type { Latency, RetrievedDocument, Usage } from '../schema/trial.ts';

/** What is put to a target. Expectations are not in it, so that no target can read the answer off the question. */
export interface TargetRequest {
  /** Unique to the trial; good as an idempotency key. */
  readonly key: string;
  readonly caseId: string;
  /** The question: the text of the last user message. */
  readonly input: string;
  /** The whole input as messages. */
  readonly messages: readonly Message[];
  readonly metadata: Readonly<Record<string, Json>>;
  /** Counts from 1. */
  readonly attempt: number;
  readonly seed: number;
}

export interface TargetContext {
  /** Aborted when the time limit is over or the run is told to stop at once. */
  readonly signal: AbortSignal;
}

/** What came back, in one shape whatever the target. */
export interface Reply {
  readonly answer: string | null;
  readonly toolCalls: ToolCall[];
  readonly documents?: RetrievedDocument[];
  readonly state?: Json;
  readonly usage?: Usage;
  readonly cost?: number;
  /** The whole conversation, when the target reports more than one exchange. */
  readonly transcript?: Message[];
  /** Time to the first token in milliseconds, when the target knows it. */
  readonly firstTokenMs?: number;
  /**
   * How long the answer took when it was recorded; null when that is not known. Left out by targets that are really
   * called: the time of their call counts.
   */
  readonly latency?: Latency | null;
  /** What the target wrote beside its answer. */
  readonly logs?: string;
}

/** The system under test, seen from outside. */
export interface Target {
  /** Calls that it can really work on at the same time; more are not sent, so that waiting is not taken for latency. */
  readonly maxConcurrency?: number;
  /** Gets ready and makes sure that it can be reached, without asking anything. Throws `TouchstoneError` when not. */
  open?(): Promise<void>;
  /** Asks once. Throws `TargetFailure`, or anything else, when there is no usable answer. */
  call(request: TargetRequest, context: TargetContext): Promise<Reply>;
  /** Ends what `open` or `call` started. Called once, also after a failure. */
  close?(): Promise<void>;
}

export interface TargetFailureOptions {
  /** Whether the same call may well work a moment later: connection lost, rate limit, overload. */
  readonly retryable?: boolean;
  /** How long the target asked to be left alone, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** What the target wrote beside the answer it did not give. */
  readonly logs?: string | undefined;
  /** As in a `Reply`. */
  readonly latency?: Latency | null | undefined;
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

  constructor(code: string, message: string, options: TargetFailureOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.logs = options.logs;
    this.latency = options.latency;
  }

  /** The same failure with some of its parts replaced. */
  with({ message = this.message, ...parts }: TargetFailureOptions & { readonly message?: string }) {
    const { code, retryable, retryAfterMs, logs, latency, cause } = this;
    return new TargetFailure(code, message, { retryable, retryAfterMs, logs, latency, cause, ...parts });
  }
}

/** What Touchstone hands to a target. */
export interface TargetNeeds {
  /** Paths in the options are relative to this folder: that of the config file. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads the rows of a data file of any format that datasets come in. */
  readRows(path: string): AsyncIterable<{ readonly value: unknown; readonly place: Place }>;
}

export type TargetDefinition<Options = never> = Definition<'target', Options, Target, TargetNeeds>;

/** Declares a target: one file, one registry line (in tree) or one import in a config (out of tree). */
export function defineTarget<Schema extends z.ZodType>(
  definition: Omit<TargetDefinition<z.output<Schema>>, 'kind' | 'options'> & { readonly options: Schema },
): Factory<'target', z.input<Schema>, z.output<Schema>, Target, TargetNeeds> {
  return define<'target', Schema, Target, TargetNeeds>({ kind: 'target', ...definition });
}
