import { z } from 'zod';
import type { Json } from '../../../core/schema/json.ts';
import { readWire } from '../http/protocol.ts';
import { reportedFailure } from '../http/status-failure.ts';
import type { BatchLine, BatchStatus } from '../model.ts';
import { type BatchHttp, listBody } from '../http/batch-http.ts';
import type { BatchWire } from '../http/create-batch-api.ts';

const count = z.number().nullish();

const jobSchema = z.lazy(() =>
  z.looseObject({
    id: z.string(),
    processing_status: z.string(),
    created_at: z.string().nullish(),
    expires_at: z.string().nullish(),
    ended_at: z.string().nullish(),
    request_counts: z
      .looseObject({ processing: count, succeeded: count, errored: count, canceled: count, expired: count })
      .nullish(),
  }),
);
type Job = z.output<typeof jobSchema>;

const pageSchema = z.lazy(() =>
  z.looseObject({
    data: z.array(z.unknown()),
    has_more: z.boolean().nullish(),
    last_id: z.string().nullish(),
  }),
);

const lineSchema = z.lazy(() =>
  z.looseObject({
    custom_id: z.string(),
    result: z.looseObject({
      type: z.string(),
      message: z.unknown().optional(),
      error: z.unknown().optional(),
    }),
  }),
);

/** A batch of this process was created within so long after its submission began; the clocks may differ by as much. */
const withinMs = 600_000;

/** The Message Batches of Anthropic. They have no names of ours: one that may be ours is known by its time and size. */
export function createAnthropicBatches(http: BatchHttp): BatchWire {
  const pathOf = (job: string, end = '') => `/messages/batches/${encodeURIComponent(job)}${end}`;
  return {
    limits: { requests: 100_000, bytes: 256 * 1024 * 1024 },
    write: (id, { body }) => JSON.stringify({ custom_id: id, params: body }),
    submit: async ({ lines }, signal) => {
      const body = await listBody(lines, ['{"requests":[', ']}']);
      return readWire(jobSchema, await http.ask('POST', '/messages/batches', { signal, body })).id;
    },
    find: async ({ requests, since }, signal) => {
      const found: string[] = [];
      const from = Date.parse(since);
      for await (const job of listAll(http, signal)) {
        const created = Date.parse(job.created_at ?? '');
        if (created < from - withinMs) break;
        const isNear = Math.abs(created - from) <= withinMs;
        if (isNear && totalOf(job) === requests) found.push(job.id);
      }
      return found;
    },
    check: async (job, signal) =>
      toStatus(readWire(jobSchema, await http.ask('GET', pathOf(job), { signal }))),
    results: async function* (job, signal) {
      for await (const line of http.lines(pathOf(job, '/results'), signal))
        yield toLine(readWire(lineSchema, line));
    },
    cancel: async (job, signal) => {
      await http.ask('POST', pathOf(job, '/cancel'), { signal });
    },
    remove: async (job, signal) => {
      await http.ask('DELETE', pathOf(job), { signal });
    },
  };
}

/** Yields all batches, the newest first. */
async function* listAll(http: BatchHttp, signal: AbortSignal): AsyncGenerator<Job> {
  let after: string | undefined;
  for (;;) {
    const end = after === undefined ? '' : `&after_id=${encodeURIComponent(after)}`;
    const page = readWire(pageSchema, await http.ask('GET', `/messages/batches?limit=100${end}`, { signal }));
    for (const value of page.data) yield readWire(jobSchema, value);
    const last = page.last_id ?? undefined;
    if (page.has_more !== true || last === undefined || last === after) return;
    after = last;
  }
}

function totalOf({ request_counts: counts }: Job): number {
  const { processing, succeeded, errored, canceled, expired } = counts ?? {};
  return [processing, succeeded, errored, canceled, expired].reduce<number>(
    (sum, each) => sum + (each ?? 0),
    0,
  );
}

function toStatus({ processing_status: status, request_counts: counts, ...job }: Job): BatchStatus {
  return {
    isEnded: status === 'ended',
    answered: counts?.succeeded ?? 0,
    failed: (counts?.errored ?? 0) + (counts?.canceled ?? 0) + (counts?.expired ?? 0),
    endsBefore: job.expires_at ?? undefined,
    endedAt: job.ended_at ?? undefined,
  };
}

function toLine({ custom_id: id, result }: z.output<typeof lineSchema>): BatchLine {
  const { type, message, error } = result;
  if (type === 'succeeded') return { id, reply: (message ?? null) as Json };
  if (type === 'errored') {
    const inner =
      (error as { readonly error?: Json } | undefined)?.error ?? (error as Json | undefined) ?? null;
    const failure = reportedFailure(inner);
    return { id, error: { code: failure.code, message: failure.message, isRetryable: failure.retryable } };
  }
  const what = type === 'expired' ? 'expired before it was answered' : 'was cancelled before it was answered';
  return { id, error: { code: `batch-${type}`, message: `the request ${what}`, isRetryable: true } };
}
