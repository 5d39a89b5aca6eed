import { randomUUID } from 'node:crypto';
import { messageOf } from '../../../core/errors.ts';
import { inBatches } from '../../../core/lib/async-iterables.ts';
import { timeNow } from '../../../core/lib/time.ts';
import { wait } from '../../../core/lib/waiting.ts';
import type { Batch, BatchRequest } from '../../../core/schema/batches/batch.ts';
import { batchKind, batchRequestKind } from '../../../stores/kinds/batch.ts';
import type { BatchApi } from '../../models/model.ts';
import { ModelFailure } from '../../models/model-failure.ts';
import { changeRequests, keepBatch, lineOf, listBatches, orderOf, requestsAtOnce } from './batch-records.ts';
import { giveUpRequest } from './gather-batch.ts';
import type { BatchWork } from './batch-work.ts';

/** The share of the limits of a provider that is used. */
const share = 0.95;

/** The states before a batch is at its provider. */
const unfinished = ['choosing', 'prepared', 'uploaded', 'submitting'] as const;

/** Submits the batches that a process has left behind, and then batches of the requests that wait. Ends early once the run is stopped. */
export async function submitBatches(work: BatchWork): Promise<void> {
  const { documents, runs, asking, apis, money } = work;
  for (const batch of await listBatches(documents, runs(), unfinished)) {
    const api = apis.get(batch.model);
    if (api !== undefined && !money.isHeld) await submit(batch, api, { ...work, isRepeated: true });
  }
  for (const api of apis.values()) {
    const where = { run_id: asking(), model: api.model, state: 'waiting' };
    for (;;) {
      // Those that share the prompt of another request are no requests.
      const waiting = await documents.count(batchRequestKind, { where: { ...where, lead: null } });
      if (waiting === 0 || work.signals.stop.aborted || money.isHeld) break;
      if (waiting < api.settings.atLeast) await askThem(work, api);
      else if (!(await submit(await beginBatch(work, api), api, work))) break;
    }
  }
}

interface Submitting extends BatchWork {
  /** True when a process has died in the middle of it. */
  readonly isRepeated?: boolean;
}

/** Takes a batch to its provider, whatever its state. Returns whether to go on with the next one. */
async function submit(begun: Batch, api: BatchApi, work: Submitting): Promise<boolean> {
  const { documents, signals } = work;
  let batch = begun;
  for (;;) {
    if (signals.stop.aborted) return false;
    if (batch.state === 'choosing') batch = await choose(batch, api, work);
    if (batch.requests === 0) {
      await documents.change(
        [batchKind],
        async (change) => await change.remove(batchKind, { where: { id: batch.id } }),
      );
      return true;
    }
    try {
      if (!(await isAffordable(batch, work))) return false;
      if (batch.state === 'prepared') batch = await upload(batch, api, work);
      if (batch.state === 'uploaded') {
        batch = await keepBatch(documents, { ...batch, state: 'submitting', submittingAt: timeNow() });
        batch = await create(batch, api, work);
      } else batch = await findAgain(batch, api, work);
      if (batch.state === 'submitted') return true;
    } catch (error) {
      if (signals.stop.aborted) return false;
      if (!(error instanceof ModelFailure)) throw error;
      if (!isPassing(error)) {
        await refuse(batch, api, { ...work, failure: error });
        return true;
      }
      work.onNotice(`${api.account} took no batch yet: ${error.message}. It is tried again.`);
      await wait(error.retryAfterMs ?? work.pace.retryMs, signals.stop).catch(() => {});
    }
  }
}

/** Returns whether a failure of a provider may pass. */
function isPassing({ retryable, status }: ModelFailure): boolean {
  return retryable || status === 429;
}

async function beginBatch({ documents, runs, runId }: BatchWork, api: BatchApi): Promise<Batch> {
  const [run = runId] = runs();
  return await keepBatch(documents, {
    id: `touchstone-${randomUUID()}`,
    run,
    state: 'choosing',
    form: api.form(),
    model: api.model,
    name: api.name,
    account: api.account,
    requests: 0,
    jobs: [],
    answered: 0,
    failed: 0,
  });
}

/** Chooses requests for a batch until it is full. */
async function choose(begun: Batch, api: BatchApi, work: BatchWork): Promise<Batch> {
  const { documents, asking } = work;
  const most = Math.min(
    Math.floor(api.limits.requests * share),
    work.mostRequests.get(api.model) ?? Infinity,
  );
  const mostBytes = api.limits.bytes * share;
  let batch = begun;
  let bytes = 0;
  for await (const line of orderOf(batch, api, documents).lines()) bytes += Buffer.byteLength(line) + 1;
  const where = { run_id: asking(), model: api.model, state: 'waiting', lead: null };
  for await (const found of inBatches(documents.list(batchRequestKind, { where }), requestsAtOnce)) {
    const chosen: string[] = [];
    let cost: number | undefined = batch.requests === 0 ? 0 : batch.cost;
    let isFull = false;
    for (const request of found) {
      const line = lineOf(request, api, begun.form);
      const size = Buffer.byteLength(line) + 1;
      isFull = batch.requests + chosen.length >= most || bytes + size > mostBytes;
      // One that is larger than the largest batch goes alone, and the provider says so.
      if (isFull && batch.requests + chosen.length > 0) break;
      bytes += size;
      chosen.push(request.id);
      const price = await api.estimate(line);
      cost = cost === undefined || price === undefined ? undefined : cost + price;
    }
    batch = await addToBatch(documents, { ...batch, ...(cost !== undefined && { cost }) }, chosen);
    if (isFull) break;
  }
  return await keepBatch(documents, { ...batch, state: 'prepared' });
}

/** Adds requests that still wait to a batch, in one step. */
async function addToBatch(
  documents: BatchWork['documents'],
  batch: Batch,
  ids: readonly string[],
): Promise<Batch> {
  return await documents.change([batchKind, batchRequestKind], async (change) => {
    const chosen: BatchRequest[] = [];
    for (const id of ids) {
      const request = await change.get(batchRequestKind, [id]);
      if (request?.state === 'waiting')
        chosen.push({ ...request, state: 'sent', batch: batch.id, tries: request.tries + 1 });
    }
    const larger = { ...batch, requests: batch.requests + chosen.length };
    await change.put(batchRequestKind, chosen);
    await change.put(batchKind, [larger]);
    return larger;
  });
}

async function upload(
  batch: Batch,
  api: BatchApi,
  { documents, signals, isRepeated }: Submitting,
): Promise<Batch> {
  // Erased in the meantime, perhaps.
  const requests = await documents.count(batchRequestKind, { where: { batch: batch.id, state: 'sent' } });
  const order = { ...orderOf({ ...batch, requests }, api, documents), isRepeated };
  const file = await api.upload?.(order, signals.abort);
  return await keepBatch(documents, {
    ...batch,
    requests,
    state: 'uploaded',
    ...(file !== undefined && { file }),
  });
}

/** Submits a batch. When the answer is lost, it is looked for, as after the death of a process. */
async function create(batch: Batch, api: BatchApi, work: Submitting): Promise<Batch> {
  const { documents, signals } = work;
  try {
    const job = await api.submit(orderOf(batch, api, documents), signals.abort);
    return await keepBatch(documents, { ...batch, state: 'submitted', jobs: [job], submittedAt: timeNow() });
  } catch (error) {
    const isRefused = error instanceof ModelFailure && error.status !== undefined && error.status < 500;
    if (!isRefused) return await findAgain(batch, api, work);
    await keepBatch(documents, { ...batch, state: 'uploaded' });
    throw error;
  }
}

/** Looks for a batch whose submission no process saw the end of. Where the provider does not have it, it is to be submitted again. */
async function findAgain(
  batch: Batch,
  api: BatchApi,
  { documents, signals, pace }: Submitting,
): Promise<Batch> {
  for (const pauseMs of pace.lookMs) {
    await wait(pauseMs, signals.stop);
    const found = await api.find(orderOf(batch, api, documents), signals.abort);
    const jobs = await withoutOthers(found, batch, documents);
    if (jobs.length > 0)
      return await keepBatch(documents, {
        ...batch,
        state: 'submitted',
        jobs,
        submittedAt: batch.submittingAt,
      });
  }
  return await keepBatch(documents, { ...batch, state: 'uploaded' });
}

/** Returns the batches of a provider that no other batch of the store is. */
async function withoutOthers(
  jobs: readonly string[],
  { id }: Batch,
  documents: BatchWork['documents'],
): Promise<string[]> {
  const owned = new Set<string>();
  for await (const other of documents.list(batchKind)) {
    if (other.id !== id && other.jobs.length === 1) for (const job of other.jobs) owned.add(job);
  }
  return jobs.filter((job) => !owned.has(job));
}

/** Returns whether the money is enough for a batch that is still to be uploaded or submitted, on top of those that are under way. */
async function isAffordable({ id, state, cost = 0 }: Batch, work: BatchWork): Promise<boolean> {
  if (state === 'submitting') return true;
  const live = await listBatches(work.documents, work.runs(), ['submitting', 'submitted']);
  const others = live.reduce((sum, each) => sum + (each.id === id ? 0 : (each.cost ?? 0)), 0);
  const fits = work.mayCost(others + work.money.ended, cost);
  work.money.isHeld ||= !fits;
  return fits;
}

/** Gives the requests of a batch up that the provider does not take. */
async function refuse(
  batch: Batch,
  api: BatchApi,
  work: Submitting & { readonly failure: ModelFailure },
): Promise<void> {
  const { documents, failure, signals } = work;
  const error = { code: failure.code, message: failure.message };
  // What cannot be removed now is removed by the provider in time.
  await api.discard?.(orderOf(batch, api, documents), signals.abort).catch(() => {});
  const count = await changeRequests(documents, { batch: batch.id, state: 'sent' }, (request) =>
    giveUpRequest(request, api, error),
  );
  await documents.change(
    [batchKind],
    async (change) => await change.remove(batchKind, { where: { id: batch.id } }),
  );
  const then = api.settings.otherwise === 'ask' ? 'are asked one by one' : 'have failed';
  work.onNotice(`${api.account} refused a batch (${messageOf(failure)}): its ${count} requests ${then}.`);
}

/** Lets requests be asked one by one, since they are too few for a batch. */
async function askThem({ documents, asking }: BatchWork, { model }: BatchApi): Promise<void> {
  const where = { run_id: asking(), model, state: 'waiting', lead: null };
  const few = await Array.fromAsync(documents.list(batchRequestKind, { where }));
  await documents.change([batchRequestKind], async (change) => {
    await change.put(
      batchRequestKind,
      few.map((request): BatchRequest => ({ ...request, state: 'ask' })),
    );
  });
}
