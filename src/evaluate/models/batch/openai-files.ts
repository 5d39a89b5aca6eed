import { z } from 'zod';
import { valueAtPath } from '../../../core/lib/objects.ts';
import type { Json } from '../../../core/schema/json.ts';
import { readWire } from '../http/protocol.ts';
import { reportedFailure } from '../http/status-failure.ts';
import type { BatchLine, BatchOrder, BatchStatus } from '../model.ts';
import type { BatchHttp } from '../http/batch-http.ts';
import type { BatchWire } from '../http/create-batch-api.ts';

const jobSchema = z.lazy(() =>
  z.looseObject({
    id: z.string(),
    status: z.string(),
    created_at: z.number().nullish(),
    expires_at: z.number().nullish(),
    completed_at: z.number().nullish(),
    input_file_id: z.string().nullish(),
    output_file_id: z.string().nullish(),
    error_file_id: z.string().nullish(),
    request_counts: z
      .looseObject({ completed: z.number().nullish(), failed: z.number().nullish() })
      .nullish(),
    metadata: z.record(z.string(), z.unknown()).nullish(),
    errors: z
      .looseObject({ data: z.array(z.looseObject({ message: z.string().nullish() })).nullish() })
      .nullish(),
  }),
);
type Job = z.output<typeof jobSchema>;

const pageSchema = z.lazy(() =>
  z.looseObject({ data: z.array(z.unknown()), has_more: z.boolean().nullish() }),
);
const fileSchema = z.lazy(() => z.looseObject({ id: z.string(), filename: z.string().nullish() }));

const lineSchema = z.lazy(() =>
  z.looseObject({
    custom_id: z.string(),
    response: z.looseObject({ status_code: z.number().nullish(), body: z.unknown().optional() }).nullish(),
    error: z.looseObject({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
  }),
);

/** The name of the marker of a batch in its metadata. */
export const markerName = 'touchstone';

/** The states after which nothing comes any more. */
const ended: ReadonlySet<string> = new Set(['completed', 'failed', 'expired', 'cancelled']);

/** The codes of requests that were never looked at, and those that may succeed another time. */
const retryableCodes: ReadonlySet<string> = new Set([
  'batch_expired',
  'batch_cancelled',
  'request_timeout',
  'rate_limit_exceeded',
  'server_error',
]);

const second = 1000;
/** The clocks of both sides may differ by so many milliseconds. */
export const slackMs = 600_000;

/** The batches of OpenAI, of which Azure and Groq have the same: files of requests and files of results. */
export function createOpenaiFiles(http: BatchHttp, url: string): BatchWire {
  const readJob = async (job: string, signal: AbortSignal): Promise<Job> =>
    readWire(jobSchema, await http.ask('GET', `/batches/${encodeURIComponent(job)}`, { signal }));

  return {
    limits: { requests: 50_000, bytes: 200 * 1024 * 1024 },
    write: (id, { body }) => JSON.stringify({ custom_id: id, method: 'POST', url, body }),
    upload: async (order, signal) => await uploadOnce(http, order, signal),
    discard: async (order, signal) => await discardUpload(http, order, signal),
    submit: async ({ marker, file }, signal) => {
      const body = {
        input_file_id: file ?? '',
        endpoint: url,
        completion_window: '24h',
        metadata: { [markerName]: marker },
      };
      return readWire(jobSchema, await http.ask('POST', '/batches', { signal, body })).id;
    },
    find: async ({ marker, since }, signal) => {
      const found: string[] = [];
      const from = Date.parse(since) - slackMs;
      for await (const value of listAll(http, '/batches?limit=100', signal)) {
        const job = readWire(jobSchema, value);
        if (job.created_at !== null && job.created_at !== undefined && job.created_at * second < from) break;
        if (job.metadata?.[markerName] === marker) found.push(job.id);
      }
      return found;
    },
    check: async (job, signal) => toStatus(await readJob(job, signal)),
    results: async function* (job, signal) {
      const { output_file_id: output, error_file_id: errors } = await readJob(job, signal);
      yield* readFiles(http, [output, errors], signal);
    },
    cancel: async (job, signal) => {
      await http.ask('POST', `/batches/${encodeURIComponent(job)}/cancel`, { signal });
    },
    remove: async (job, signal) => {
      const {
        input_file_id: input,
        output_file_id: output,
        error_file_id: errors,
      } = await readJob(job, signal);
      await removeFiles(http, [input, output, errors], signal);
    },
  };
}

/** Uploads the requests of a batch as a file, unless a process that has died has done so. */
export async function uploadOnce(http: BatchHttp, order: BatchOrder, signal: AbortSignal): Promise<string> {
  return (await findFile(http, order, signal)) ?? (await upload(http, order, signal));
}

/** Removes the file of a batch, also one whose name no process remembers. */
export async function discardUpload(http: BatchHttp, order: BatchOrder, signal: AbortSignal): Promise<void> {
  const file = order.file ?? (await findFile(http, { ...order, isRepeated: true }, signal));
  await removeFiles(http, [file], signal);
}

/** Yields the lines of files of results, those that have a name. */
export async function* readFiles(
  http: BatchHttp,
  files: readonly (string | null | undefined)[],
  signal: AbortSignal,
): AsyncGenerator<BatchLine> {
  for (const file of files) {
    if (typeof file !== 'string' || file === '') continue;
    for await (const line of http.lines(`/files/${encodeURIComponent(file)}/content`, signal))
      yield toLine(readWire(lineSchema, line));
  }
}

/** Removes files, those that have a name. */
export async function removeFiles(
  http: BatchHttp,
  files: readonly (string | null | undefined)[],
  signal: AbortSignal,
): Promise<void> {
  for (const file of files) {
    if (typeof file === 'string' && file !== '')
      await http.ask('DELETE', `/files/${encodeURIComponent(file)}`, { signal });
  }
}

/** Finds a file that was uploaded before this process could write its name down. */
async function findFile(
  http: BatchHttp,
  { marker, isRepeated }: BatchOrder,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (isRepeated !== true) return undefined;
  for await (const value of listAll(http, '/files?purpose=batch&limit=100', signal)) {
    const { id, filename } = readWire(fileSchema, value);
    if (filename === nameOf(marker)) return id;
  }
  return undefined;
}

async function upload(http: BatchHttp, { marker, lines }: BatchOrder, signal: AbortSignal): Promise<string> {
  const [head, end] = [
    `--${marker}\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nbatch\r\n` +
      `--${marker}\r\ncontent-disposition: form-data; name="file"; filename="${nameOf(marker)}"\r\ncontent-type: application/jsonl\r\n\r\n`,
    `\r\n--${marker}--\r\n`,
  ];
  let bytes = head.length + end.length;
  for await (const line of lines()) bytes += Buffer.byteLength(line) + 1;
  const pieces = async function* () {
    yield head;
    for await (const line of lines()) yield `${line}\n`;
    yield end;
  };
  const type = `multipart/form-data; boundary=${marker}`;
  const body = { type, length: async () => bytes, pieces };
  return readWire(fileSchema, await http.ask('POST', '/files', { signal, body })).id;
}

function nameOf(marker: string): string {
  return `${marker}.jsonl`;
}

/** Yields all values of a list, the newest first, page by page. */
async function* listAll(http: BatchHttp, path: string, signal: AbortSignal): AsyncGenerator {
  let after: string | undefined;
  for (;;) {
    const at = after === undefined ? path : `${path}&after=${encodeURIComponent(after)}`;
    const { data, has_more: hasMore } = readWire(pageSchema, await http.ask('GET', at, { signal }));
    yield* data;
    const last = (data.at(-1) as { readonly id?: string } | undefined)?.id;
    if (hasMore !== true || last === undefined || last === after) return;
    after = last;
  }
}

function toStatus({ status, request_counts: counts, ...job }: Job): BatchStatus {
  const fault = job.errors?.data?.map(({ message }) => message ?? '').join('; ');
  return {
    isEnded: ended.has(status),
    ...(status === 'failed' && { fault: fault || 'the provider gives no reason' }),
    answered: counts?.completed ?? 0,
    failed: counts?.failed ?? 0,
    endsBefore: timeOf(job.expires_at),
    endedAt: timeOf(job.completed_at),
  };
}

/** Returns a time in seconds since 1970 as ISO 8601. */
export function timeOf(seconds: number | null | undefined): string | undefined {
  return seconds === null || seconds === undefined ? undefined : new Date(seconds * second).toISOString();
}

function toLine({ custom_id: id, response, error }: z.output<typeof lineSchema>): BatchLine {
  const status = response?.status_code ?? 0;
  if (status === 0) return { id, error: errorOf(error?.code ?? 'no-reply', error?.message) };
  const body = (response?.body ?? null) as Json;
  if (status >= 200 && status < 300) return { id, reply: body };
  const { code, message, retryable } = reportedFailure({ status, message: messageIn(body) });
  return { id, error: { code, message, isRetryable: retryable } };
}

/** Returns the error of a request that was not looked at. */
function errorOf(code: string, message?: string | null): BatchLine['error'] {
  return {
    code: code.replaceAll('_', '-'),
    message: message ?? 'the batch ended without a reply to it',
    isRetryable: retryableCodes.has(code),
  };
}

function messageIn(body: Json): string {
  const said = valueAtPath(body, 'error.message') ?? valueAtPath(body, 'message');
  return typeof said === 'string' ? said : JSON.stringify(body);
}
