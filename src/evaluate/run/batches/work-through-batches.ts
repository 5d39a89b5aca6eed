import { TouchstoneError } from '../../../core/errors.ts';
import { wait } from '../../../core/lib/waiting.ts';
import type { BatchView } from '../../../core/schema/api/waiting-view.ts';
import type { Batch } from '../../../core/schema/batches/batch.ts';
import type { DocumentStore } from '../../../stores/documents/document-store.ts';
import { batchRequestKind } from '../../../stores/kinds/batch.ts';
import type { Store } from '../../../stores/store.ts';
import type { BatchApi, BatchStatus } from '../../models/model.ts';
import { ModelFailure } from '../../models/model-failure.ts';
import { keepBatch, listBatches } from './batch-records.ts';
import type { BatchWork } from './batch-work.ts';
import { endBatch, readResults } from './gather-batch.ts';
import { submitBatches } from './submit-batches.ts';

/** The looks at a batch that may fail in a row before a command ends. The batch stays where it is. */
const mostFailedLooks = 1000;

/** The waiting for batches. */
export interface BatchWaiting extends BatchWork {
  readonly store: Pick<Store, 'claimRun'>;
  /** The runs of others, whose requests have questions of this one. */
  readonly others: () => ReadonlySet<string>;
  /** Adds a run that no process works on any more to those that this process has claimed. */
  readonly adopt: (runId: string, claim: AsyncDisposable) => void;
  /** True when nothing is waited for once everything is submitted. */
  readonly isDetached: boolean;
}

/**
 * Submits what waits, and waits until all batches have ended and their results are stored. Returns false when some have not: the run was
 * stopped, or it does not wait.
 */
export async function workThroughBatches(work: BatchWaiting): Promise<boolean> {
  let pauseMs = work.pace.pollMs;
  const failures = { inRow: 0 };
  try {
    for (;;) {
      await adoptOthers(work);
      await submitBatches(work);
      const live = await listBatches(work.documents, work.runs(), ['submitted']);
      const own = live.filter(({ model }) => work.apis.has(model));
      const isOver = own.length === 0 && !(await isAnyWaiting(work));
      work.onBatches(isOver ? [] : own.map(viewOf));
      if (isOver) return true;
      if (work.signals.stop.aborted) return false;
      let hasEnded = false;
      for (const batch of own) {
        if (!(await look(batch, work, failures))) continue;
        work.money.ended += batch.cost ?? 0;
        hasEnded = true;
      }
      if (hasEnded) continue;
      if (work.isDetached) return false;
      await wait(pauseMs, work.signals.stop);
      pauseMs = Math.min(pauseMs * 1.5, work.pace.longestPollMs);
    }
  } catch (error) {
    if (work.signals.stop.aborted) return false;
    throw error;
  }
}

function viewOf({ requests, answered, failed, endsBefore }: Batch): BatchView {
  return { requests, answered, failed, endsBefore };
}

/** Claims the runs that have asked the same questions and that no process works on any more. */
async function adoptOthers({ others, runs, store, adopt }: BatchWaiting): Promise<void> {
  for (const other of others()) {
    if (runs().includes(other)) continue;
    try {
      adopt(other, await store.claimRun(other));
    } catch (error) {
      const isExpected =
        error instanceof TouchstoneError && ['run-in-progress', 'run-not-found'].includes(error.code);
      if (!isExpected) throw error;
    }
  }
}

/** Returns whether questions of this run are left: in no batch, or with another run that is being worked on. */
async function isAnyWaiting({ documents, runs, others, apis }: BatchWaiting): Promise<boolean> {
  const waiting = { state: ['waiting', 'sent'], model: [...apis.keys()], lead: null };
  const foreign = [...others()].filter((run) => !runs().includes(run));
  if (foreign.length === 0) return false;
  return (await documents.count(batchRequestKind, { where: { ...waiting, run_id: foreign } })) > 0;
}

/** Looks at a batch, and gathers it once it has ended. Returns whether it has. */
async function look(batch: Batch, work: BatchWaiting, failures: { inRow: number }): Promise<boolean> {
  const api = work.apis.get(batch.model) as BatchApi;
  try {
    const hasEnded = await lookOnce(batch, api, { ...work, failedInRow: failures.inRow });
    failures.inRow = 0;
    return hasEnded;
  } catch (error) {
    if (!(error instanceof ModelFailure) || work.signals.stop.aborted) throw error;
    if (error.status === 404) {
      work.onNotice(`${api.account} no longer knows a batch of ${batch.requests} requests.`);
      await endBatch(batch, api, { ...work, isLast: true });
      return true;
    }
    failures.inRow += 1;
    if (failures.inRow === 1)
      work.onNotice(`${api.account} does not say how the batch is doing: ${error.message}.`);
    if (isKeyRefused(error) || failures.inRow >= mostFailedLooks) throw pending(batch, error);
    return false;
  }
}

function isKeyRefused({ code }: ModelFailure): boolean {
  return code === 'unauthorized';
}

function pending({ requests, account, run }: Batch, { message }: ModelFailure): TouchstoneError {
  return new TouchstoneError(
    'batch-pending',
    `A batch of ${requests} requests is at ${account}, which does not say how it is doing: ${message}.`,
    { remedy: `It is still there. Once the provider answers again: \`touchstone run --resume ${run}\`.` },
  );
}

async function lookOnce(
  seen: Batch,
  api: BatchApi,
  work: BatchWaiting & { readonly failedInRow: number },
): Promise<boolean> {
  const { documents, signals } = work;
  let batch = seen;
  let left = batch.jobs.length;
  for (const job of batch.jobs) {
    const status = await api.check(job, signals.abort);
    batch = await withStatus(batch, status, documents);
    if (!status.isEnded) {
      batch = await cancelLate(batch, { api, job }, work);
      continue;
    }
    left -= 1;
    if (status.fault !== undefined) {
      await endFaulty(batch, api, { ...work, fault: status.fault });
      return true;
    }
    const { own, lines } = await readResults(batch, { job, status }, { ...work, api });
    const isForeign = own === 0 && lines > 0;
    if (isForeign) continue;
    const isLast = batch.isCancelled === true;
    await endBatch({ ...batch, jobs: [job] }, api, { documents, endedAt: status.endedAt, isLast });
    return true;
  }
  // None of them was this one, so that it was never submitted.
  if (left === 0) await keepBatch(documents, { ...batch, state: 'uploaded', jobs: [] });
  return left === 0;
}

async function withStatus(batch: Batch, status: BatchStatus, documents: DocumentStore): Promise<Batch> {
  const { answered, failed, endsBefore = batch.endsBefore } = status;
  const isSame = batch.answered === answered && batch.failed === failed && batch.endsBefore === endsBefore;
  if (isSame) return batch;
  return await keepBatch(documents, { ...batch, answered, failed, ...(endsBefore && { endsBefore }) });
}

/** Cancels a batch that has taken longer than is wanted. */
async function cancelLate(
  batch: Batch,
  { api, job }: { readonly api: BatchApi; readonly job: string },
  { documents, signals }: BatchWork,
): Promise<Batch> {
  const { waitMs } = api.settings;
  const isLate = waitMs !== undefined && Date.now() - Date.parse(batch.submittedAt ?? '') > waitMs;
  if (!isLate || batch.isCancelled === true) return batch;
  await api.cancel(job, signals.abort);
  return await keepBatch(documents, { ...batch, isCancelled: true });
}

/** Ends a batch that the provider could not work on, such as one that is too large for its line. */
async function endFaulty(
  batch: Batch,
  api: BatchApi,
  { documents, mostRequests, onNotice, fault }: BatchWaiting & { readonly fault: string },
): Promise<void> {
  onNotice(`${api.account} did not work on a batch of ${batch.requests} requests: ${fault}.`);
  mostRequests.set(api.model, Math.max(1, Math.ceil(batch.requests / 2)));
  await endBatch(batch, api, { documents, isLast: false });
}
