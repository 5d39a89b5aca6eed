import { parseJson } from '../../../core/lib/json/parse-json.ts';
import {
  type AnswerOne,
  type BatchOrder,
  type Call,
  countsOf,
  dayMs,
  type JsonRecord,
  refuse,
  type Replied,
} from './batch-call.ts';
import {
  answeredOf,
  type BatchBoard,
  hasEnded,
  errorOf,
  type ServedBatch,
  type ServedRequest,
} from './served-batches.ts';

/** Reads the order of a batch of Anthropic. */
export function readAnthropicOrder({ text }: Call): BatchOrder | Replied {
  const { requests } = parseJson(text) as { readonly requests: readonly JsonRecord[] };
  const all = requests.map(({ custom_id: id, params }) => ({ id: String(id), body: params as JsonRecord }));
  if (all.some(({ id }) => !/^[\w-]{1,64}$/.test(id))) return refuse(400, 'custom_id: invalid');
  return { api: 'anthropic', requests: all, metadata: {} };
}

/** Describes a batch as Anthropic does. */
export function describeAnthropic(board: BatchBoard, job: ServedBatch) {
  const isOver = hasEnded(board, job);
  const { succeeded, erring, left } = countsOf(board, job);
  const ended = {
    processing: 0,
    succeeded,
    errored: erring,
    canceled: job.isCancelled ? left : 0,
    expired: job.isCancelled ? 0 : left,
  };
  const open = { processing: job.requests.length, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
  return {
    id: job.id,
    type: 'message_batch',
    processing_status: isOver ? 'ended' : 'in_progress',
    request_counts: isOver ? ended : open,
    created_at: new Date(job.createdAt).toISOString(),
    expires_at: new Date(job.createdAt + dayMs).toISOString(),
    ended_at: isOver ? new Date().toISOString() : null,
    cancel_initiated_at: null,
    archived_at: null,
    results_url: isOver ? `${job.origin}/v1/messages/batches/${job.id}/results` : null,
  };
}

/** Yields the lines of the results of a batch. */
export async function* linesOfAnthropic(
  board: BatchBoard,
  job: ServedBatch,
  answer: AnswerOne,
): AsyncGenerator<string> {
  for (const [index, request] of job.requests.entries())
    yield JSON.stringify({
      custom_id: request.id,
      result: await resultOf(board, job, { request, index, answer }),
    });
}

async function resultOf(
  board: BatchBoard,
  job: ServedBatch,
  {
    request,
    index,
    answer,
  }: { readonly request: ServedRequest; readonly index: number; readonly answer: AnswerOne },
) {
  if (index >= answeredOf(board, job)) return { type: job.isCancelled ? 'canceled' : 'expired' };
  const erring = errorOf(board, job, index);
  if (erring === undefined)
    return { type: 'succeeded', message: await answer('/v1/messages', request.body, index) };
  const type = erring.status >= 500 ? 'api_error' : 'invalid_request_error';
  return { type: 'errored', error: { type: 'error', error: { type, message: erring.message } } };
}
