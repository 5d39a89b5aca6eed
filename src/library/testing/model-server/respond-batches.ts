import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import type { Json } from '../../../core/schema/json.ts';
import {
  answeredOf,
  type BatchBoard,
  billOf,
  hasEnded,
  isErring,
  type ServedBatch,
  type ServedRequest,
} from './served-batches.ts';

type JsonRecord = { readonly [key: string]: Json };

/** Answers one request of a batch as the model would by itself. */
export type AnswerOne = (path: string, body: JsonRecord, index: number) => Promise<Json>;

/** A call of a batch API. */
interface Call {
  readonly board: BatchBoard;
  readonly url: URL;
  readonly text: string;
  readonly headers: IncomingMessage['headers'];
  readonly answer: AnswerOne;
  /** The parts of the path that the route leaves open. */
  readonly names: readonly string[];
}

interface Replied {
  readonly status?: number;
  readonly json?: unknown;
  /** The lines of a file. */
  readonly lines?: AsyncIterable<string> | Iterable<string>;
}

type Handler = (call: Call) => Replied;

const second = 1000;
const dayMs = 86_400_000;

const routes: readonly (readonly [method: string, path: RegExp, handle: Handler])[] = [
  ['POST', /\/files$/, upload],
  [
    'GET',
    /\/files$/,
    ({ board }) => ({ json: listOf([...board.files].map(([id, { name }]) => fileOf(id, name))) }),
  ],
  ['DELETE', /\/files\/([^/]+)$/, removeFile],
  ['GET', /\/files\/([^/]+)\/content$/, readFile],
  ['POST', /\/messages\/batches$/, createAnthropic],
  ['GET', /\/messages\/batches$/, ({ board }) => ({ json: pageOf(board, 'anthropic') })],
  ['GET', /\/messages\/batches\/([^/]+)\/results$/, readAnthropic],
  ['POST', /\/messages\/batches\/([^/]+)\/cancel$/, cancel],
  ['GET', /\/messages\/batches\/([^/]+)$/, check],
  [
    'DELETE',
    /\/messages\/batches\/([^/]+)$/,
    ({ names: [id = ''] }) => ({ json: { id, type: 'message_batch_deleted' } }),
  ],
  ['POST', /\/batch\/jobs$/, createMistral],
  [
    'GET',
    /\/batch\/jobs$/,
    ({ board, url }) => ({
      json: url.searchParams.get('page') === '0' ? pageOf(board, 'mistral') : listOf([]),
    }),
  ],
  ['POST', /\/batch\/jobs\/([^/]+)\/cancel$/, cancel],
  ['GET', /\/batch\/jobs\/([^/]+)$/, check],
  ['POST', /\/(models\/[^/]+):batchGenerateContent$/, createGemini],
  ['POST', /\/batches\/([^/]+):cancel$/, cancel],
  ['DELETE', /\/batches\/([^/]+)$/, () => ({ json: {} })],
  ['POST', /\/batches$/, createOpenai],
  [
    'GET',
    /\/batches$/,
    ({ board, url }) => ({
      json: url.searchParams.has('pageSize') ? operationsOf(board) : pageOf(board, 'openai'),
    }),
  ],
  ['POST', /\/batches\/([^/]+)\/cancel$/, cancel],
  ['GET', /\/batches\/([^/]+)$/, (call) => readGemini(call) ?? check(call)],
];

/** Responds to a request of the batch APIs. Returns false for a path that is none of theirs. */
export async function respondToBatches(
  incoming: IncomingMessage,
  bytes: Buffer,
  { board, answer, response }: Pick<Call, 'board' | 'answer'> & { readonly response: ServerResponse },
): Promise<boolean> {
  const url = new URL(incoming.url ?? '/', 'http://localhost');
  const found = routes.find(([method, path]) => method === incoming.method && path.test(url.pathname));
  if (found === undefined) return false;
  const [method, path, handle] = found;
  const names = (path.exec(url.pathname) ?? []).slice(1).map(decodeURIComponent);
  const name = `${method} ${url.pathname.replace(/^\/v1/, '').replaceAll(/\b(file|batch|msgbatch)[-_]\w+/g, ':id')}`;
  await board.script.onRequest?.(name, false);
  const reply = handle({
    board,
    url,
    text: bytes.toString('utf8'),
    headers: incoming.headers,
    answer,
    names,
  });
  await board.script.onRequest?.(name, true);
  if (response.destroyed) return true;
  if (reply.lines === undefined) {
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(reply.json ?? {}));
    return true;
  }
  response.writeHead(200, { 'content-type': 'application/x-jsonl' });
  for await (const line of reply.lines) response.write(line);
  response.end();
  return true;
}

const error = (status: number, message: string): Replied => ({
  status,
  json: {
    type: 'error',
    error: { type: status === 429 ? 'rate_limit_error' : 'invalid_request_error', message },
  },
});

function listOf(data: readonly { readonly id?: string }[]) {
  return {
    object: 'list',
    data,
    has_more: false,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}

function fileOf(id: string, filename: string) {
  return { id, object: 'file', bytes: 1, created_at: 1, filename, purpose: 'batch', status: 'processed' };
}

/** Reads an upload: the parts of a form, of which one is the file. */
function upload({ board, text, headers }: Call): Replied {
  const boundary = /boundary="?([^";]+)/.exec(headers['content-type'] ?? '')?.[1] ?? '';
  const part = text.split(`--${boundary}`).find((each) => /filename=/i.test(each));
  if (part === undefined) return error(400, 'no file in the form');
  const name = /filename="([^"]*)"/i.exec(part)?.[1] ?? '';
  const start = part.indexOf('\r\n\r\n') + 4;
  const id = `file-${board.files.size + 1}${Math.random().toString(36).slice(2, 8)}`;
  board.files.set(id, { name, text: part.slice(start).replace(/\r\n$/, '') });
  return { json: fileOf(id, name) };
}

function removeFile({ board, names: [id = ''] }: Call): Replied {
  return board.files.delete(id)
    ? { json: { id, object: 'file', deleted: true } }
    : error(404, 'no such file');
}

function createOpenai({ board, text }: Call): Replied {
  const order = parseJson(text) as { readonly input_file_id: string; readonly metadata?: JsonRecord };
  const file = board.files.get(order.input_file_id);
  if (file === undefined) return error(400, 'no such file');
  const lines = file.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseJson(line) as JsonRecord);
  const requests = lines.map(({ custom_id: id, body }) => ({ id: String(id), body: body as JsonRecord }));
  return create(board, {
    api: 'openai',
    requests,
    file: order.input_file_id,
    metadata: order.metadata ?? {},
  });
}

function createMistral({ board, text }: Call): Replied {
  const order = parseJson(text) as {
    readonly input_files: readonly string[];
    readonly model: string;
    readonly metadata?: JsonRecord;
  };
  const [input = ''] = order.input_files;
  const file = board.files.get(input);
  if (file === undefined) return error(422, 'no such file');
  const lines = file.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseJson(line) as JsonRecord);
  const { model } = order;
  const requests = lines.map(({ custom_id: id, body }) => ({
    id: String(id),
    body: { model, ...(body as JsonRecord) },
  }));
  return create(board, { api: 'mistral', requests, file: input, metadata: order.metadata ?? {} });
}

function createAnthropic({ board, text }: Call): Replied {
  const { requests } = parseJson(text) as { readonly requests: readonly JsonRecord[] };
  const all = requests.map(({ custom_id: id, params }) => ({ id: String(id), body: params as JsonRecord }));
  if (all.some(({ id }) => !/^[\w-]{1,64}$/.test(id))) return error(400, 'custom_id: invalid');
  return create(board, { api: 'anthropic', requests: all, metadata: {} });
}

function createGemini({ board, text, names: [model = ''] }: Call): Replied {
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
  return create(board, { api: 'gemini', requests, metadata: { displayName: batch.displayName, model } });
}

interface InlinedRequest {
  readonly request: JsonRecord;
  readonly metadata: { readonly key: string };
}

function create(
  board: BatchBoard,
  order: Pick<ServedBatch, 'api' | 'requests' | 'file' | 'metadata'>,
): Replied {
  if (board.refusals > 0) {
    board.refusals -= 1;
    return error(429, 'too many batches');
  }
  const head = order.api === 'anthropic' ? 'msgbatch' : 'batch';
  const id = `${head}_${board.jobs.size + 1}${Math.random().toString(36).slice(2, 8)}`;
  const job: ServedBatch = { id, ...order, createdAt: Date.now(), checks: 0, isCancelled: false };
  board.jobs.set(id, job);
  return { json: describe(board, job) };
}

function check({ board, names: [id = ''] }: Call): Replied {
  const job = board.jobs.get(id);
  if (job === undefined) return error(404, 'no such batch');
  job.checks += 1;
  return { json: describe(board, job) };
}

function cancel({ board, names: [id = ''] }: Call): Replied {
  const job = board.jobs.get(id);
  if (job === undefined) return error(404, 'no such batch');
  job.isCancelled = true;
  return { json: describe(board, job) };
}

function pageOf(board: BatchBoard, api: ServedBatch['api']) {
  const all = [...board.jobs.values()].filter((job) => job.api === api).toReversed();
  return listOf(all.map((job) => describe(board, job)));
}

function describe(board: BatchBoard, job: ServedBatch): { readonly id?: string; readonly name?: string } {
  if (hasEnded(board, job)) billOf(board, job);
  if (job.api === 'mistral') return describeMistral(board, job);
  if (job.api === 'gemini') return describeGemini(board, job);
  return job.api === 'openai' ? describeOpenai(board, job) : describeAnthropic(board, job);
}

function countsOf(board: BatchBoard, job: ServedBatch) {
  const answered = answeredOf(board, job);
  const erring = job.requests.filter((_, index) => index < answered && isErring(board, index)).length;
  return { succeeded: answered - erring, erring, left: job.requests.length - answered };
}

function describeOpenai(board: BatchBoard, job: ServedBatch) {
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

function describeMistral(board: BatchBoard, job: ServedBatch) {
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

function describeAnthropic(board: BatchBoard, job: ServedBatch) {
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
    results_url: isOver ? `http://127.0.0.1/v1/messages/batches/${job.id}/results` : null,
  };
}

/** Describes an operation without its response, as `fields` asks for it. */
function describeGemini(board: BatchBoard, job: ServedBatch) {
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

function operationsOf(board: BatchBoard) {
  const jobs = [...board.jobs.values()].filter(({ api }) => api === 'gemini');
  return { operations: jobs.map((job) => describe(board, job)) };
}

/** Reads an operation with its response; undefined for what is none, or is asked for without. */
function readGemini({ board, url, names: [id = ''], answer }: Call): Replied | undefined {
  const job = board.jobs.get(id);
  if (job?.api !== 'gemini' || url.searchParams.has('fields')) return undefined;
  return { lines: wholeOfGemini(board, job, answer) };
}

async function* wholeOfGemini(
  board: BatchBoard,
  job: ServedBatch,
  answer: AnswerOne,
): AsyncGenerator<string> {
  const results: Json[] = [];
  const path = `/v1beta/${String(job.metadata['model'])}:generateContent`;
  for (const [index, { id: key, body }] of job.requests.slice(0, answeredOf(board, job)).entries()) {
    const code = (board.script.errors?.status ?? 500) >= 500 ? 14 : 3;
    const result: JsonRecord = isErring(board, index)
      ? { error: { code, message: 'scripted' } }
      : { response: await answer(path, body, index) };
    results.push({ ...result, metadata: { key } });
  }
  const inlinedResponses = board.script.isShuffled === true ? [...results.toReversed(), ...results] : results;
  const response = hasEnded(board, job) ? { inlinedResponses: { inlinedResponses } } : undefined;
  const text = JSON.stringify({ ...describe(board, job), response });
  if (board.cuts > 0) {
    board.cuts -= 1;
    yield text.slice(0, text.length / 2);
  } else yield text;
}

function readFile({ board, names: [id = ''], answer }: Call): Replied {
  const [, kind = '', of = ''] = /^(output|errors)-(.+)$/.exec(id) ?? [];
  const job = board.jobs.get(of);
  if (job === undefined) {
    const file = board.files.get(id);
    return file === undefined ? error(404, 'no such file') : { lines: [file.text] };
  }
  return { lines: arrange(board, linesOfOpenai(board, job, { answer, isErrors: kind === 'errors' })) };
}

async function* linesOfOpenai(
  board: BatchBoard,
  job: ServedBatch,
  { answer, isErrors }: { readonly answer: AnswerOne; readonly isErrors: boolean },
): AsyncGenerator<string> {
  const answered = answeredOf(board, job);
  for (const [index, { id, body }] of job.requests.entries()) {
    const isLeft = index >= answered;
    const isError = isLeft || isErring(board, index);
    if (isError !== isErrors) continue;
    yield JSON.stringify({
      id: `r${index}`,
      custom_id: id,
      response: isLeft
        ? null
        : isError
          ? {
              status_code: board.script.errors?.status,
              request_id: '',
              body: { error: { message: 'scripted', type: 'scripted' } },
            }
          : { status_code: 200, request_id: '', body: await answer('/v1/chat/completions', body, index) },
      error: isLeft
        ? { code: job.isCancelled ? 'batch_cancelled' : 'batch_expired', message: 'it ended before' }
        : null,
    });
  }
}

function readAnthropic({ board, names: [id = ''], answer }: Call): Replied {
  const job = board.jobs.get(id);
  if (job === undefined) return error(404, 'no such batch');
  return { lines: arrange(board, linesOfAnthropic(board, job, answer)) };
}

async function* linesOfAnthropic(
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
  if (!isErring(board, index))
    return { type: 'succeeded', message: await answer('/v1/messages', request.body, index) };
  const type = (board.script.errors?.status ?? 500) >= 500 ? 'api_error' : 'invalid_request_error';
  return { type: 'errored', error: { type: 'error', error: { type, message: 'scripted' } } };
}

/** Yields lines as the script wants them: in another order and twice, or cut off in the middle. */
async function* arrange(board: BatchBoard, lines: AsyncIterable<string>): AsyncGenerator<string> {
  const isCut = board.cuts > 0;
  if (isCut) board.cuts -= 1;
  if (!isCut && board.script.isShuffled !== true) {
    for await (const line of lines) yield `${line}\n`;
    return;
  }
  const all = await Array.fromAsync(lines);
  const shuffled = board.script.isShuffled === true ? [...all.toReversed(), ...all] : all;
  const text = shuffled.map((line) => `${line}\n`).join('');
  const half = Math.floor(text.length / 2);
  // Every other one in the middle of a line, the others where a line ends.
  yield isCut ? text.slice(0, board.cuts % 2 === 1 ? half : text.lastIndexOf('\n', half) + 1) : text;
}
