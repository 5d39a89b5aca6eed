import { z } from 'zod';
import { readWire } from '../http/protocol.ts';
import type { BatchStatus } from '../model.ts';
import type { BatchHttp } from '../http/batch-http.ts';
import type { BatchWire } from '../http/create-batch-api.ts';
import {
  discardUpload,
  markerName,
  readFiles,
  removeFiles,
  slackMs,
  timeOf,
  uploadOnce,
} from './openai-files.ts';

const count = z.number().nullish();
const file = z.string().nullish();

const jobSchema = z.lazy(() =>
  z.looseObject({
    id: z.string(),
    status: z.string(),
    input_files: z.array(z.string()).nullish(),
    output_file: file,
    error_file: file,
    errors: z.array(z.looseObject({ message: z.string().nullish() })).nullish(),
    metadata: z.record(z.string(), z.unknown()).nullish(),
    created_at: z.number(),
    completed_at: count,
    succeeded_requests: count,
    failed_requests: count,
  }),
);
type Job = z.output<typeof jobSchema>;

const pageSchema = z.lazy(() => z.looseObject({ data: z.array(z.unknown()).nullish() }));

/** The states after which nothing comes any more. */
const ended: ReadonlySet<string> = new Set(['SUCCESS', 'FAILED', 'TIMEOUT_EXCEEDED', 'CANCELLED']);

const pageSize = 100;
const hoursToAnswer = 24;
const hourInSeconds = 3600;

/** The batch jobs of Mistral, with files as for OpenAI. The model is named by the job. */
export function createMistralJobs(http: BatchHttp, model: string): BatchWire {
  const pathOf = (job: string, end = '') => `/batch/jobs/${encodeURIComponent(job)}${end}`;
  const readJob = async (job: string, signal: AbortSignal): Promise<Job> =>
    readWire(jobSchema, await http.ask('GET', pathOf(job), { signal }));

  return {
    limits: { requests: 1_000_000, bytes: 512 * 1024 * 1024 },
    write: (id, { body: { model: _named, ...body } }) => JSON.stringify({ custom_id: id, body }),
    upload: async (order, signal) => await uploadOnce(http, order, signal),
    discard: async (order, signal) => await discardUpload(http, order, signal),
    submit: async ({ marker, file: input = '' }, signal) => {
      const body = {
        input_files: [input],
        endpoint: '/v1/chat/completions',
        model,
        timeout_hours: hoursToAnswer,
        metadata: { [markerName]: marker },
      };
      return readWire(jobSchema, await http.ask('POST', '/batch/jobs', { signal, body })).id;
    },
    find: async ({ marker, since }, signal) => {
      const from = new Date(Date.parse(since) - slackMs).toISOString();
      const found: string[] = [];
      for await (const { id, metadata } of listAll(http, from, signal))
        if (metadata?.[markerName] === marker) found.push(id);
      return found;
    },
    check: async (job, signal) => toStatus(await readJob(job, signal)),
    results: async function* (job, signal) {
      const { output_file: output, error_file: errors } = await readJob(job, signal);
      yield* readFiles(http, [output, errors], signal);
    },
    cancel: async (job, signal) => {
      await http.ask('POST', pathOf(job, '/cancel'), { signal });
    },
    remove: async (job, signal) => {
      const { input_files: inputs, output_file: output, error_file: errors } = await readJob(job, signal);
      await removeFiles(http, [...(inputs ?? []), output, errors], signal);
    },
  };
}

/** Yields the jobs that were created after a time, page by page. */
async function* listAll(http: BatchHttp, from: string, signal: AbortSignal): AsyncGenerator<Job> {
  for (let page = 0; ; page += 1) {
    const at = `/batch/jobs?page=${page}&page_size=${pageSize}&created_after=${encodeURIComponent(from)}`;
    const { data } = readWire(pageSchema, await http.ask('GET', at, { signal }));
    for (const value of data ?? []) yield readWire(jobSchema, value);
    if ((data?.length ?? 0) < pageSize) return;
  }
}

function toStatus({ status, errors, ...job }: Job): BatchStatus {
  const answered = job.succeeded_requests ?? 0;
  const failed = job.failed_requests ?? 0;
  const said = (errors ?? []).map(({ message }) => message ?? '').join('; ');
  // A job that has failed after some of its requests has results.
  const isFaulty = status === 'FAILED' && answered + failed === 0;
  return {
    isEnded: ended.has(status),
    ...(isFaulty && { fault: said || 'the provider gives no reason' }),
    answered,
    failed,
    endsBefore: timeOf(job.created_at + hoursToAnswer * hourInSeconds),
    endedAt: timeOf(job.completed_at),
  };
}
