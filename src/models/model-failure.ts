import type { Json } from '../schema/json.ts';

/** One request of a call, successful or not. */
export interface ChatAttempt {
  /** When it was sent, ISO 8601. */
  readonly startedAt: string;
  /** Milliseconds that it waited for its turn or for a retry: never part of a latency. */
  readonly waitedMs: number;
  /** Milliseconds from sending it to the end of the reply. */
  readonly latencyMs: number;
  /** HTTP status, where there was one. */
  readonly status?: number;
  /** Why it did not give a reply; absent when it did. */
  readonly error?: { readonly code: string; readonly message: string };
}

/** What went over the wire, without secrets, so that it can be checked. A streamed reply is put together. */
export interface ChatExchange {
  readonly request: Json;
  readonly reply: Json;
}

/** Particulars of a `ModelFailure`. */
export interface ModelFailureOptions {
  readonly status?: number | undefined;
  /** Whether the same request may well work a moment later. */
  readonly retryable?: boolean;
  /** How long the provider asked to be left alone, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  readonly attempts?: readonly ChatAttempt[];
  /** What was sent and what came back, without secrets. */
  readonly exchange?: Partial<ChatExchange> | undefined;
  readonly cause?: unknown;
}

/**
 * A call without a usable reply, after all retries. Codes: `rate-limited`, `overloaded`, `server-error`,
 * `quota-exhausted`, `bad-request`, `unauthorized`, `not-found`, `http-status`, `connection-failed`, `timeout`,
 * `invalid-reply`, `refused-by-provider`, `no-rule`, `cancelled`, `model-threw`.
 */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly code: string;
  readonly status: number | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly attempts: readonly ChatAttempt[];
  readonly exchange: Partial<ChatExchange> | undefined;

  constructor(code: string, message: string, options: ModelFailureOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = options.status;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.attempts = options.attempts ?? [];
    this.exchange = options.exchange;
  }
}
