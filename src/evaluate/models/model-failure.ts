import type { Json } from '../../core/schema/json.ts';

/** One request of a call, successful or not. */
export interface ChatAttempt {
  /** The time at which it was sent, ISO 8601. */
  readonly startedAt: string;
  /** Milliseconds of waiting for its turn or for a repeat; never part of a latency. */
  readonly waitedMs: number;
  /** Milliseconds from sending the request to the end of the reply. */
  readonly latencyMs: number;
  /** The HTTP status, when there was one. */
  readonly status?: number;
  /** The reason why there was no reply; absent when there was one. */
  readonly error?: { readonly code: string; readonly message: string };
}

/** The request and reply on the wire, without secrets, for audits. A streamed reply is assembled. */
export interface ChatExchange {
  readonly request: Json;
  readonly reply: Json;
}

/** Details of a `ModelFailure`. */
export interface ModelFailureOptions {
  readonly status?: number;
  /** True when the same request may succeed a moment later. */
  readonly retryable?: boolean;
  /** The pause that the provider asked for, in milliseconds. */
  readonly retryAfterMs?: number;
  readonly attempts?: readonly ChatAttempt[];
  /** The request and the reply, without secrets. */
  readonly exchange?: Partial<ChatExchange>;
  readonly cause?: unknown;
}

/**
 * The failure of a call without a usable reply, after all repeats. Codes: `rate-limited`, `overloaded`, `server-error`,
 * `quota-exhausted`, `bad-request`, `unauthorized`, `login-failed`, `not-found`, `http-status`, `connection-failed`, `certificate-refused`,
 * `timeout`, `invalid-reply`, `refused-by-provider`, `no-rule`, `cancelled`, `model-threw`.
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

  /** Returns the same failure with other details. */
  with({
    message = this.message,
    ...changes
  }: ModelFailureOptions & { readonly message?: string }): ModelFailure {
    const { code, status, retryable, retryAfterMs, attempts, exchange, cause } = this;
    const own = { status, retryable, retryAfterMs, attempts, exchange, cause };
    return new ModelFailure(code, message, { ...own, ...changes });
  }
}
