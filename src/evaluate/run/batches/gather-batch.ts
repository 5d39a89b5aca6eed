import { inBatches } from '../../../core/lib/async-iterables.ts';
import { timeNow } from '../../../core/lib/time.ts';
import type { Batch, BatchRequest } from '../../../core/schema/batches/batch.ts';
import { batchRequestKind } from '../../../stores/kinds/batch.ts';
import { unansweredCode } from '../../../core/schema/trial.ts';
import type { BatchApi, BatchLine, BatchStatus } from '../../models/model.ts';
import { ModelFailure } from '../../models/model-failure.ts';
import { changeRequests, changeSome, keepBatch, requestsAtOnce } from './batch-records.ts';
import type { BatchWork } from './batch-work.ts';

/** The readings in a row that may lack replies before what came is taken for all there is. */
const mostShortReadings = 10;
/** A request is put into so many batches. */
const mostTries = 2;

/** The outcome of reading the results of a batch at the provider. */
interface Read {
  /** The lines for requests of this batch. */
  readonly own: number;
  readonly lines: number;
}

/** Stores the results of a batch that has ended, some at a time, each once, however often and in whatever order they come. */
export async function readResults(
  batch: Batch,
  { job, status }: { readonly job: string; readonly status: BatchStatus },
  {
    documents,
    signals,
    api,
    failedInRow,
  }: Pick<BatchWork, 'documents' | 'signals'> & { readonly api: BatchApi; readonly failedInRow: number },
): Promise<Read> {
  const own = new Set<string>();
  let lines = 0;
  let replies = 0;
  const inOrder = async () => {
    const requests = await Array.fromAsync(documents.list(batchRequestKind, { where: { batch: batch.id } }));
    return requests.map(({ id }) => id);
  };
  for await (const found of inBatches(api.results(job, signals.abort, inOrder), requestsAtOnce)) {
    lines += found.length;
    const byId = new Map(found.map((line) => [line.id, line]));
    replies += [...byId.values()].filter(({ reply }) => reply !== undefined).length;
    await changeSome(documents, [...byId.keys()], (request) => {
      if (request.batch !== batch.id) return undefined;
      own.add(request.id);
      if (request.state !== 'sent') return undefined;
      const line = byId.get(request.id) as BatchLine;
      if (!isOfForm(request, line, { api, form: batch.form })) return withResult(request, line);
      // Where others were answered in this form, only this one is asked in another, by itself.
      return status.answered === 0 ? undefined : { ...request, state: 'ask' };
    });
  }
  // A file that ends where a line does looks whole. A provider that counts otherwise is believed in the end.
  if (replies < status.answered && failedInRow < mostShortReadings)
    throw new ModelFailure(
      'invalid-reply',
      `the results are cut off: ${replies} of ${status.answered} replies came`,
      { retryable: true },
    );
  return { own: own.size, lines };
}

/** Returns whether a request was refused because of the form in which its batch asks. */
function isOfForm(
  { prompt }: BatchRequest,
  { error }: BatchLine,
  { api, form }: Pick<Batch, 'form'> & { readonly api: BatchApi },
): boolean {
  if (error === undefined || error.isRetryable || prompt === undefined) return false;
  return api.refusesForm(prompt.request, form, error);
}

/** Returns a request with its result; undefined where there is none, so that it is asked again. */
function withResult(request: BatchRequest, { reply, error }: BatchLine): BatchRequest | undefined {
  if (reply !== undefined) return { ...request, state: 'answered', result: { reply } };
  if (error === undefined || error.isRetryable) return undefined;
  const { code, message } = error;
  return { ...request, state: 'answered', result: { error: { code, message } } };
}

/** Ends a batch whose results are stored: what is left of it waits for another batch, or is given up. */
export async function endBatch(
  batch: Batch,
  api: BatchApi,
  {
    documents,
    endedAt,
    isLast,
  }: Pick<BatchWork, 'documents'> & {
    readonly endedAt?: string;
    /** True when no further batch is wanted for what is left. */
    readonly isLast: boolean;
  },
): Promise<void> {
  const error = { code: unansweredCode, message: 'no batch has answered it' };
  await changeRequests(documents, { batch: batch.id, state: 'sent' }, (request) =>
    isLast || request.tries >= mostTries
      ? giveUpRequest(request, api, error)
      : { ...request, state: 'waiting', batch: null },
  );
  await keepBatch(documents, { ...batch, state: 'gathered', endedAt: endedAt ?? timeNow() });
}

/** Returns a request that no batch answers: it is asked by itself, or has failed, as the settings want it. */
export function giveUpRequest(
  request: BatchRequest,
  { settings: { otherwise } }: BatchApi,
  error: { readonly code: string; readonly message: string },
): BatchRequest {
  return otherwise === 'ask'
    ? { ...request, state: 'ask' }
    : { ...request, state: 'answered', result: { error } };
}
