import { inBatches } from '../../../core/lib/async-iterables.ts';
import type { Batch, BatchRequest } from '../../../core/schema/batches/batch.ts';
import { batchKind, batchRequestKind } from '../../../stores/kinds/batch.ts';
import { type DocumentStore, putDocuments } from '../../../stores/documents/document-store.ts';
import type { BatchApi, BatchOrder } from '../../models/model.ts';

/** The number of requests that are changed in one step. */
export const requestsAtOnce = 200;

/** Stores what is known of a batch, and returns it. */
export async function keepBatch(documents: DocumentStore, batch: Batch): Promise<Batch> {
  await putDocuments(documents, batchKind, [batch]);
  return batch;
}

/** Lists the batches of runs in some states, the oldest of a run first. */
export async function listBatches(
  documents: DocumentStore,
  runs: readonly string[],
  states: readonly Batch['state'][],
): Promise<Batch[]> {
  const found = await Array.fromAsync(documents.list(batchKind, { where: { run_id: runs, state: states } }));
  return found.toSorted((one, other) => ((one.submittedAt ?? '') < (other.submittedAt ?? '') ? -1 : 1));
}

/** Returns the order of a batch: its requests are read from the store whenever they are sent. */
export function orderOf(
  { id, file, form, requests, submittingAt }: Batch,
  api: BatchApi,
  documents: DocumentStore,
): BatchOrder {
  return {
    marker: id,
    requests,
    since: submittingAt ?? new Date().toISOString(),
    file,
    lines: async function* () {
      for await (const request of documents.list(batchRequestKind, { where: { batch: id, state: 'sent' } }))
        yield lineOf(request, api, form);
    },
  };
}

/** Writes a request as its line, in the form of its batch. */
export function lineOf({ id, prompt }: BatchRequest, api: BatchApi, form: Batch['form']): string {
  return api.write(id, prompt?.request ?? { messages: [] }, form);
}

/**
 * Changes the requests that a query finds, some in each step, each by what it contains at that time; undefined leaves it as it is.
 * Those that stay in the query are met once.
 */
export async function changeRequests(
  documents: DocumentStore,
  where: { readonly batch: string; readonly state: BatchRequest['state'] },
  next: (request: BatchRequest) => BatchRequest | undefined,
): Promise<number> {
  let changed = 0;
  for await (const found of inBatches(documents.list(batchRequestKind, { where }), requestsAtOnce))
    changed += await changeSome(
      documents,
      found.map(({ id }) => id),
      next,
    );
  return changed;
}

/** Changes requests by their names in one step. Returns the number of those that have changed. */
export async function changeSome(
  documents: DocumentStore,
  ids: readonly string[],
  next: (request: BatchRequest) => BatchRequest | undefined,
): Promise<number> {
  return await documents.change([batchRequestKind], async (change) => {
    const changed: BatchRequest[] = [];
    for (const id of ids) {
      const request = await change.get(batchRequestKind, [id]);
      const made = request && next(request);
      if (made !== undefined) changed.push(made);
    }
    if (changed.length > 0) await change.put(batchRequestKind, changed);
    return changed.length;
  });
}

/** Takes a batch back that was not submitted: its requests wait again. */
export async function undoBatch({ id }: Batch, documents: DocumentStore): Promise<void> {
  await changeRequests(documents, { batch: id, state: 'sent' }, (request) => ({
    ...request,
    state: 'waiting',
    batch: null,
    tries: request.tries - 1,
  }));
  await documents.change([batchKind], async (change) => await change.remove(batchKind, { where: { id } }));
}

/** Removes the requests of runs that are not needed any more. */
export async function clearRequests(
  documents: DocumentStore,
  runs: readonly string[],
  isDone: (request: BatchRequest) => Promise<boolean>,
): Promise<void> {
  const where = { run_id: runs, state: ['answered', 'ask'] };
  for await (const found of inBatches(documents.list(batchRequestKind, { where }), requestsAtOnce)) {
    const done: BatchRequest[] = [];
    for (const request of found) if (await isDone(request)) done.push(request);
    const ids = done.map(({ id }) => id);
    if (ids.length === 0) continue;
    await documents.change([batchRequestKind], async (change) => {
      await change.remove(batchRequestKind, { where: { lead: ids } });
      await change.remove(batchRequestKind, { where: { id: ids } });
    });
  }
}

/** Removes the batches whose requests are all gone, and before that what the provider still has of them. */
export async function clearBatches(
  documents: DocumentStore,
  runs: readonly string[],
  removeAt: (batch: Batch) => Promise<void>,
): Promise<void> {
  for (const batch of await listBatches(documents, runs, ['gathered'])) {
    const { id } = batch;
    if ((await documents.count(batchRequestKind, { where: { batch: id } })) > 0) continue;
    await removeAt(batch);
    await documents.change([batchKind], async (change) => await change.remove(batchKind, { where: { id } }));
  }
}
