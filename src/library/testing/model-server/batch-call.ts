import type { IncomingMessage } from 'node:http';
import type { Json } from '../../../core/schema/json.ts';
import { answeredOf, type BatchBoard, errorOf, type ServedBatch } from './served-batches.ts';

export type JsonRecord = { readonly [key: string]: Json };

/** Answers one request of a batch as the model would by itself. */
export type AnswerOne = (path: string, body: JsonRecord, index: number) => Promise<Json>;

/** A call of a batch API. */
export interface Call {
  readonly board: BatchBoard;
  readonly url: URL;
  readonly text: string;
  readonly headers: IncomingMessage['headers'];
  readonly answer: AnswerOne;
  /** The parts of the path that the route leaves open. */
  readonly names: readonly string[];
}

/** The reply to a call. */
export interface Replied {
  readonly status?: number;
  readonly json?: unknown;
  /** The lines of a file. */
  readonly lines?: AsyncIterable<string> | Iterable<string>;
}

/** The requests that a call wants to be worked on, and what it says of them. */
export type BatchOrder = Pick<ServedBatch, 'api' | 'requests' | 'file' | 'metadata'>;

/** A day, for which a batch is worked on. */
export const dayMs = 86_400_000;

/** Returns the reply to a call that is not taken. */
export const refuse = (status: number, message: string): Replied => ({
  status,
  json: {
    type: 'error',
    error: { type: status === 429 ? 'rate_limit_error' : 'invalid_request_error', message },
  },
});

/** Counts the requests of a batch by how they have ended. */
export function countsOf(board: BatchBoard, job: ServedBatch) {
  const answered = answeredOf(board, job);
  const erring = job.requests.filter(
    (_, index) => index < answered && errorOf(board, job, index) !== undefined,
  ).length;
  return { succeeded: answered - erring, erring, left: job.requests.length - answered };
}
