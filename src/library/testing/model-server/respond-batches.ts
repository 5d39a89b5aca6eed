import type { IncomingMessage, ServerResponse } from 'node:http';
import { describeAnthropic, linesOfAnthropic, readAnthropicOrder } from './anthropic-batches.ts';
import { type BatchOrder, type Call, refuse, type Replied } from './batch-call.ts';
import {
  describeMistral,
  describeOpenai,
  linesOfFile,
  readMistralOrder,
  readOpenaiOrder,
} from './file-batches.ts';
import { describeGemini, readGeminiOrder, wholeOfGemini } from './gemini-batches.ts';
import { type BatchBoard, billOf, hasEnded, type ServedBatch } from './served-batches.ts';

type Handler = (call: Call) => Replied;

const routes: readonly (readonly [method: string, path: RegExp, handle: Handler])[] = [
  ['POST', /\/files$/, upload],
  [
    'GET',
    /\/files$/,
    ({ board }) => ({ json: listOf([...board.files].map(([id, { name }]) => fileOf(id, name))) }),
  ],
  ['DELETE', /\/files\/([^/]+)$/, removeFile],
  ['GET', /\/files\/([^/]+)\/content$/, readFile],
  ['POST', /\/messages\/batches$/, createdBy(readAnthropicOrder)],
  ['GET', /\/messages\/batches$/, ({ board }) => ({ json: pageOf(board, 'anthropic') })],
  ['GET', /\/messages\/batches\/([^/]+)\/results$/, readAnthropic],
  ['POST', /\/messages\/batches\/([^/]+)\/cancel$/, cancel],
  ['GET', /\/messages\/batches\/([^/]+)$/, check],
  [
    'DELETE',
    /\/messages\/batches\/([^/]+)$/,
    ({ names: [id = ''] }) => ({ json: { id, type: 'message_batch_deleted' } }),
  ],
  ['POST', /\/batch\/jobs$/, createdBy(readMistralOrder)],
  [
    'GET',
    /\/batch\/jobs$/,
    ({ board, url }) => ({
      json: url.searchParams.get('page') === '0' ? pageOf(board, 'mistral') : listOf([]),
    }),
  ],
  ['POST', /\/batch\/jobs\/([^/]+)\/cancel$/, cancel],
  ['GET', /\/batch\/jobs\/([^/]+)$/, check],
  ['POST', /\/(models\/[^/]+):batchGenerateContent$/, createdBy(readGeminiOrder)],
  ['POST', /\/batches\/([^/]+):cancel$/, cancel],
  ['DELETE', /\/batches\/([^/]+)$/, () => ({ json: {} })],
  ['POST', /\/batches$/, createdBy(readOpenaiOrder)],
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
  if (part === undefined) return refuse(400, 'no file in the form');
  const name = /filename="([^"]*)"/i.exec(part)?.[1] ?? '';
  const start = part.indexOf('\r\n\r\n') + 4;
  const id = `file-${board.files.size + 1}${Math.random().toString(36).slice(2, 8)}`;
  board.files.set(id, { name, text: part.slice(start).replace(/\r\n$/, '') });
  return { json: fileOf(id, name) };
}

function removeFile({ board, names: [id = ''] }: Call): Replied {
  return board.files.delete(id)
    ? { json: { id, object: 'file', deleted: true } }
    : refuse(404, 'no such file');
}

/** Returns the handler that begins the batch that a call orders. */
function createdBy(read: (call: Call) => BatchOrder | Replied): Handler {
  return (call) => {
    const order = read(call);
    return 'api' in order ? create(call, order) : order;
  };
}

function create({ board, headers }: Call, order: BatchOrder): Replied {
  if (board.refusals > 0) {
    board.refusals -= 1;
    return refuse(429, 'too many batches');
  }
  const head = order.api === 'anthropic' ? 'msgbatch' : 'batch';
  const id = `${head}_${board.jobs.size + 1}${Math.random().toString(36).slice(2, 8)}`;
  const origin = `http://${headers.host}`;
  const job: ServedBatch = { id, ...order, origin, createdAt: Date.now(), checks: 0, isCancelled: false };
  board.jobs.set(id, job);
  return { json: describe(board, job) };
}

function check({ board, names: [id = ''] }: Call): Replied {
  const job = board.jobs.get(id);
  if (job === undefined) return refuse(404, 'no such batch');
  job.checks += 1;
  return { json: describe(board, job) };
}

function cancel({ board, names: [id = ''] }: Call): Replied {
  const job = board.jobs.get(id);
  if (job === undefined) return refuse(404, 'no such batch');
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

function readFile({ board, names: [id = ''], answer }: Call): Replied {
  const [, kind = '', of = ''] = /^(output|errors)-(.+)$/.exec(id) ?? [];
  const job = board.jobs.get(of);
  if (job === undefined) {
    const file = board.files.get(id);
    return file === undefined ? refuse(404, 'no such file') : { lines: [file.text] };
  }
  return { lines: arrange(board, linesOfFile(board, job, { answer, isErrors: kind === 'errors' })) };
}

function readAnthropic({ board, names: [id = ''], answer }: Call): Replied {
  const job = board.jobs.get(id);
  if (job === undefined) return refuse(404, 'no such batch');
  return { lines: arrange(board, linesOfAnthropic(board, job, answer)) };
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
