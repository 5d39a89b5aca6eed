import { parseJson } from '../../../core/lib/json/parse-json.ts';
import type { Json } from '../../../core/schema/json.ts';
import { type AnswerOne, type BatchOrder, type Call, countsOf, type JsonRecord } from './batch-call.ts';
import {
  answeredOf,
  type BatchBoard,
  billOf,
  hasEnded,
  errorOf,
  type ServedBatch,
} from './served-batches.ts';

/** Reads the order of a batch of Gemini. */
export function readGeminiOrder({ text, names: [model = ''] }: Call): BatchOrder {
  const { batch } = parseJson(text) as {
    readonly batch: {
      readonly displayName: string;
      readonly inputConfig: { readonly requests: { readonly requests: readonly InlinedRequest[] } };
    };
  };
  const requests = batch.inputConfig.requests.requests.map(({ metadata: { key }, request }) => ({
    id: key,
    body: request,
  }));
  return { api: 'gemini', requests, metadata: { displayName: batch.displayName, model } };
}

interface InlinedRequest {
  readonly request: JsonRecord;
  readonly metadata: { readonly key: string };
}

/** Describes an operation without its response, as `fields` asks for it. */
export function describeGemini(board: BatchBoard, job: ServedBatch) {
  const isOver = hasEnded(board, job);
  const { succeeded, erring, left } = countsOf(board, job);
  const { fault } = board.script;
  const whole = erring > 0 ? 'JOB_STATE_PARTIALLY_SUCCEEDED' : 'BATCH_STATE_SUCCEEDED';
  const end = job.isCancelled ? 'BATCH_STATE_CANCELLED' : left > 0 ? 'BATCH_STATE_EXPIRED' : whole;
  const isWorkedOn = isOver && fault === undefined;
  return {
    name: `batches/${job.id}`,
    metadata: {
      ...job.metadata,
      createTime: new Date(job.createdAt).toISOString(),
      endTime: isOver ? new Date().toISOString() : undefined,
      batchStats: {
        requestCount: String(job.requests.length),
        successfulRequestCount: String(isWorkedOn ? succeeded : 0),
        failedRequestCount: String(isWorkedOn ? erring : 0),
      },
      state: fault === undefined ? (isOver ? end : 'BATCH_STATE_RUNNING') : 'BATCH_STATE_FAILED',
    },
    done: isOver,
    error: fault === undefined ? undefined : { code: 3, message: fault },
  };
}

/** Yields an operation with its response. */
export async function* wholeOfGemini(
  board: BatchBoard,
  job: ServedBatch,
  answer: AnswerOne,
): AsyncGenerator<string> {
  if (hasEnded(board, job)) billOf(board, job);
  const results: Json[] = [];
  const path = `/v1beta/${String(job.metadata['model'])}:generateContent`;
  for (const [index, { id: key, body }] of job.requests.slice(0, answeredOf(board, job)).entries()) {
    const erring = errorOf(board, job, index);
    const result: JsonRecord = erring
      ? { error: { code: erring.status >= 500 ? 14 : 3, message: erring.message } }
      : { response: await answer(path, body, index) };
    results.push(board.script.isNameless === true ? result : { ...result, metadata: { key } });
  }
  const inlinedResponses = board.script.isShuffled === true ? [...results.toReversed(), ...results] : results;
  const response = hasEnded(board, job) ? { inlinedResponses: { inlinedResponses } } : undefined;
  const text = JSON.stringify({ ...describeGemini(board, job), response });
  if (board.cuts > 0) {
    board.cuts -= 1;
    yield text.slice(0, text.length / 2);
  } else yield text;
}
