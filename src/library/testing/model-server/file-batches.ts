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
import { answeredOf, type BatchBoard, hasEnded, errorOf, type ServedBatch } from './served-batches.ts';

// The batches of OpenAI and Mistral, whose requests and results are files of lines.

const second = 1000;

/** Reads the order of a batch of OpenAI. */
export function readOpenaiOrder({ board, text }: Call): BatchOrder | Replied {
  const order = parseJson(text) as { readonly input_file_id: string; readonly metadata?: JsonRecord };
  const file = board.files.get(order.input_file_id);
  if (file === undefined) return refuse(400, 'no such file');
  const lines = file.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseJson(line) as JsonRecord);
  const requests = lines.map(({ custom_id: id, body }) => ({ id: String(id), body: body as JsonRecord }));
  return {
    api: 'openai',
    requests,
    file: order.input_file_id,
    metadata: order.metadata ?? {},
  };
}

/** Reads the order of a job of Mistral. */
export function readMistralOrder({ board, text }: Call): BatchOrder | Replied {
  const order = parseJson(text) as {
    readonly input_files: readonly string[];
    readonly model: string;
    readonly metadata?: JsonRecord;
  };
  const [input = ''] = order.input_files;
  const file = board.files.get(input);
  if (file === undefined) return refuse(422, 'no such file');
  const lines = file.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseJson(line) as JsonRecord);
  const { model } = order;
  const requests = lines.map(({ custom_id: id, body }) => ({
    id: String(id),
    body: { model, ...(body as JsonRecord) },
  }));
  return { api: 'mistral', requests, file: input, metadata: order.metadata ?? {} };
}

/** Describes a batch as OpenAI does. */
export function describeOpenai(board: BatchBoard, job: ServedBatch) {
  const isOver = hasEnded(board, job);
  const { succeeded, erring, left } = countsOf(board, job);
  const { fault } = board.script;
  const end = job.isCancelled ? 'cancelled' : left > 0 ? 'expired' : 'completed';
  const isWorkedOn = isOver && fault === undefined;
  return {
    id: job.id,
    object: 'batch',
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
    status: fault === undefined ? (isOver ? end : 'in_progress') : 'failed',
    errors:
      fault === undefined
        ? null
        : { object: 'list', data: [{ code: 'invalid', message: fault, line: null, param: null }] },
    input_file_id: job.file ?? null,
    output_file_id: isWorkedOn && succeeded > 0 ? `output-${job.id}` : null,
    error_file_id: isWorkedOn && erring + left > 0 ? `errors-${job.id}` : null,
    created_at: Math.floor(job.createdAt / second),
    expires_at: Math.floor((job.createdAt + dayMs) / second),
    completed_at: isOver ? Math.floor(Date.now() / second) : null,
    request_counts: {
      total: job.requests.length,
      completed: isOver ? succeeded : 0,
      failed: isOver ? erring + left : 0,
    },
    metadata: job.metadata,
  };
}

/** Describes a job as Mistral does. */
export function describeMistral(board: BatchBoard, job: ServedBatch) {
  const isOver = hasEnded(board, job);
  const { succeeded, erring, left } = countsOf(board, job);
  const { fault } = board.script;
  const end = job.isCancelled ? 'CANCELLED' : left > 0 ? 'TIMEOUT_EXCEEDED' : 'SUCCESS';
  const isWorkedOn = isOver && fault === undefined;
  return {
    id: job.id,
    object: 'batch',
    input_files: [job.file ?? ''],
    endpoint: '/v1/chat/completions',
    metadata: job.metadata,
    status: fault === undefined ? (isOver ? end : 'RUNNING') : 'FAILED',
    errors: fault === undefined ? [] : [{ message: fault, count: 1 }],
    output_file: isWorkedOn && succeeded > 0 ? `output-${job.id}` : null,
    error_file: isWorkedOn && erring + left > 0 ? `errors-${job.id}` : null,
    created_at: Math.floor(job.createdAt / second),
    completed_at: isOver ? Math.floor(Date.now() / second) : null,
    total_requests: job.requests.length,
    succeeded_requests: isWorkedOn ? succeeded : 0,
    failed_requests: isWorkedOn ? erring + left : 0,
  };
}

/** Yields the lines of the results, or of the errors, of a batch. */
export async function* linesOfFile(
  board: BatchBoard,
  job: ServedBatch,
  { answer, isErrors }: { readonly answer: AnswerOne; readonly isErrors: boolean },
): AsyncGenerator<string> {
  const answered = answeredOf(board, job);
  for (const [index, { id, body }] of job.requests.entries()) {
    const isLeft = index >= answered;
    const erring = errorOf(board, job, index);
    const isError = isLeft || erring !== undefined;
    if (isError !== isErrors) continue;
    yield JSON.stringify({
      id: `r${index}`,
      custom_id: id,
      response: isLeft
        ? null
        : isError
          ? {
              status_code: erring?.status,
              request_id: '',
              body: { error: { message: erring?.message, type: 'scripted' } },
            }
          : { status_code: 200, request_id: '', body: await answer('/v1/chat/completions', body, index) },
      error: isLeft
        ? { code: job.isCancelled ? 'batch_cancelled' : 'batch_expired', message: 'it ended before' }
        : null,
    });
  }
}
