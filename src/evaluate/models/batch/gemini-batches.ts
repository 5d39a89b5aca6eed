import { z } from 'zod';
import type { Json } from '../../../core/schema/json.ts';
import { type BatchHttp, listBody } from '../http/batch-http.ts';
import type { BatchWire } from '../http/create-batch-api.ts';
import { readWire } from '../http/protocol.ts';
import { reportedFailure } from '../http/status-failure.ts';
import type { BatchLine, BatchStatus } from '../model.ts';

/** A count, which the API writes as a text. */
const count = z.coerce.number().nullish();

const errorSchema = z.looseObject({ code: z.number().nullish(), message: z.string().nullish() });

const resultSchema = z.looseObject({
  metadata: z.looseObject({ key: z.string().nullish() }).nullish(),
  response: z.unknown().optional(),
  error: errorSchema.nullish(),
});
type Result = z.output<typeof resultSchema>;

/** A batch is an operation: its metadata has what is known of it, and in the end its response has the results. */
const jobSchema = z.lazy(() =>
  z.looseObject({
    name: z.string(),
    done: z.boolean().nullish(),
    error: errorSchema.nullish(),
    metadata: z
      .looseObject({
        displayName: z.string().nullish(),
        state: z.string().nullish(),
        createTime: z.string().nullish(),
        endTime: z.string().nullish(),
        batchStats: z.looseObject({ successfulRequestCount: count, failedRequestCount: count }).nullish(),
      })
      .nullish(),
    response: z
      .looseObject({
        inlinedResponses: z.looseObject({ inlinedResponses: z.array(resultSchema).nullish() }).nullish(),
      })
      .nullish(),
  }),
);
type Job = z.output<typeof jobSchema>;

const pageSchema = z.lazy(() =>
  z.looseObject({ operations: z.array(jobSchema).nullish(), nextPageToken: z.string().nullish() }),
);

/** The states after which nothing comes any more. */
const ended: ReadonlySet<string> = new Set([
  'SUCCEEDED',
  'PARTIALLY_SUCCEEDED',
  'FAILED',
  'CANCELLED',
  'EXPIRED',
]);

/** The statuses of HTTP that correspond to the ones of gRPC with which a request fails. All others may pass. */
const statuses: Readonly<Record<number, number>> = {
  3: 400,
  5: 404,
  7: 403,
  8: 429,
  9: 400,
  11: 400,
  12: 400,
  14: 503,
  16: 401,
};

/** The results come in one reply, so that there must not be too many of them. */
const mostRequests = 2000;
/** A batch of requests that are part of its submission is smaller than 20 MB. */
const mostBytes = 20_000_000;
const msToAnswer = 172_800_000;

/** The batches of Gemini. The requests are part of the submission, and a batch has its marker as its name for people. */
export function createGeminiBatches(http: BatchHttp, modelPath: string): BatchWire {
  const pathOf = (job: string, end = '') => `/batches/${encodeURIComponent(job)}${end}`;
  return {
    limits: { requests: mostRequests, bytes: mostBytes },
    write: (id, { body }) => JSON.stringify({ request: body, metadata: { key: id } }),
    submit: async ({ marker, lines }, signal) => {
      const head = `{"batch":{"displayName":${JSON.stringify(marker)},"inputConfig":{"requests":{"requests":[`;
      const body = await listBody(lines, [head, ']}}}}']);
      const path = `${modelPath}:batchGenerateContent`;
      return idOf(readWire(jobSchema, await http.ask('POST', path, { signal, body })));
    },
    find: async ({ marker }, signal) => {
      const found: string[] = [];
      for await (const job of listAll(http, signal))
        if (job.metadata?.displayName === marker) found.push(idOf(job));
      return found;
    },
    check: async (job, signal) => {
      const path = pathOf(job, '?fields=name,done,error,metadata');
      return toStatus(readWire(jobSchema, await http.ask('GET', path, { signal })));
    },
    results: async function* (job, signal, inOrder) {
      const { response } = readWire(jobSchema, await http.ask('GET', pathOf(job), { signal }));
      const results = response?.inlinedResponses?.inlinedResponses ?? [];
      const names = await namesOf(results, inOrder);
      for (const [place, result] of results.entries()) yield* toLine(names[place] ?? '', result);
    },
    cancel: async (job, signal) => {
      await http.ask('POST', pathOf(job, ':cancel'), { signal });
    },
    remove: async (job, signal) => {
      await http.ask('DELETE', pathOf(job), { signal });
    },
  };
}

function idOf({ name }: Job): string {
  return name.replace(/^batches\//, '');
}

/** Yields all batches, without their results. */
async function* listAll(http: BatchHttp, signal: AbortSignal): AsyncGenerator<Job> {
  const first = '/batches?pageSize=20&fields=operations(name,metadata),nextPageToken';
  let next = '';
  do {
    const end = next === '' ? '' : `&pageToken=${encodeURIComponent(next)}`;
    const page = readWire(pageSchema, await http.ask('GET', `${first}${end}`, { signal }));
    yield* page.operations ?? [];
    next = page.nextPageToken ?? '';
  } while (next !== '');
}

function toStatus({ done, error, metadata }: Job): BatchStatus {
  const { state, createTime, endTime, batchStats: counts } = metadata ?? {};
  // The states begin with JOB_STATE_ in the documentation and with BATCH_STATE_ in replies.
  const word = (state ?? '').replace(/^(?:JOB|BATCH)_STATE_/, '');
  const answered = counts?.successfulRequestCount ?? 0;
  const failed = counts?.failedRequestCount ?? 0;
  const isFaulty = word === 'FAILED' && answered + failed === 0;
  return {
    isEnded: ended.has(word) || done === true,
    ...(isFaulty && { fault: error?.message ?? 'the provider gives no reason' }),
    answered,
    failed,
    endsBefore: createTime ? new Date(Date.parse(createTime) + msToAnswer).toISOString() : undefined,
    endedAt: endTime ?? undefined,
  };
}

/**
 * Returns the names of the requests that results are of. Where they come without, they stand in the order of the requests, which is
 * relied on only if there are as many of them, and those that have a name stand in their places.
 */
async function namesOf(
  results: readonly Result[],
  inOrder: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const names = results.map(({ metadata }) => metadata?.key ?? '');
  if (!names.includes('')) return names;
  const ordered = await inOrder();
  const isInOrder =
    names.length === ordered.length && names.every((name, place) => name === '' || name === ordered[place]);
  return isInOrder ? ordered : names;
}

/** Yields the result of a request. One that is known to be of none is skipped. */
function* toLine(id: string, { response, error }: Result): Generator<BatchLine> {
  if (id === '') return;
  if (response !== undefined && response !== null) yield { id, reply: response as Json };
  else {
    const said = error?.message ?? 'the batch ended without a reply to it';
    const { code, message, retryable } = reportedFailure({
      code: statuses[error?.code ?? 0] ?? 500,
      message: said,
    });
    yield { id, error: { code, message, isRetryable: retryable } };
  }
}
