import { createHash } from 'node:crypto';
import { batchPerTurn } from '../../../core/lib/waiting.ts';
import type { Batch, BatchPrompt, BatchRequest } from '../../../core/schema/batches/batch.ts';
import type { DocumentReader, DocumentStore } from '../../../stores/documents/document-store.ts';
import { batchKind, batchRequestKind } from '../../../stores/kinds/batch.ts';
import type { BatchedQuestions, FoundRequest } from '../../judges/judge.ts';
import { changeSome } from './batch-records.ts';

/** The questions of a run that are put aside for batches. */
export interface BatchDesk extends BatchedQuestions {
  /** Returns the other runs whose requests have questions of this run too. */
  others(): ReadonlySet<string>;
  /** Makes no further batches: what is in none is asked at once. */
  close(): void;
  /** Notes that the answer to a call was used. */
  use(key: string): void;
  isUsed(key: string): boolean;
}

/** Returns the name of the request of a question: a hash of its key, so that no result of another can be taken for its own. */
export function requestIdOf(key: string): string {
  return `t_${createHash('sha256').update(key).digest('base64url')}`;
}

/**
 * Creates the desk of a run. Questions of one turn of the event loop are put aside in one write.
 * @param claimed - The runs that this one continues. What is in no batch there is asked only if it is asked here, too.
 */
export function createBatchDesk(
  runId: string,
  documents: DocumentStore,
  claimed: readonly string[] = [],
): BatchDesk {
  const others = new Set<string>();
  const gathered = new Map<string, Batch>();
  const used = new Set<string>();
  let isClosed = false;

  async function batchOf({ state, batch }: BatchRequest): Promise<Batch | undefined> {
    if (state !== 'answered' || batch === null) return undefined;
    const known = gathered.get(batch) ?? (await documents.get(batchKind, [batch]));
    if (known?.state === 'gathered') gathered.set(batch, known);
    return known;
  }

  const takeOver = async ({ id }: BatchRequest) =>
    await changeSome(documents, [id], (request) =>
      request.state === 'waiting' ? { ...request, run: runId } : undefined,
    );

  const find = async (key: string): Promise<FoundRequest | undefined> => {
    const request = await findRequest(documents, key);
    if (request === undefined) return undefined;
    const isWaiting = request.state === 'waiting';
    if (isWaiting && request.run !== runId && claimed.includes(request.run)) await takeOver(request);
    else if (request.run !== runId && isOpen(request)) others.add(request.run);
    return { request, batch: await batchOf(request) };
  };

  const add = batchPerTurn(async (drafts: readonly BatchDraft[]) => {
    if (isClosed) return drafts.map(() => 'closed' as const);
    return await documents.change([batchRequestKind], async (change) => {
      const outcomes: ('added' | 'known')[] = [];
      for (const draft of drafts) {
        const keys = Object.keys(draft.prompt.names);
        const known = await Promise.all(
          keys.map(async (key) => await change.get(batchRequestKind, [requestIdOf(key)])),
        );
        const isKnown = known.some((each) => each !== undefined);
        if (!isKnown) await change.put(batchRequestKind, requestsOf(runId, keys, draft));
        outcomes.push(isKnown ? 'known' : 'added');
      }
      return outcomes;
    });
  });

  return {
    find: async (keys) => await Promise.all(keys.map(find)),
    add: async ({ model }, prompt) => await add({ model, prompt }),
    others: () => others,
    close: () => {
      isClosed = true;
    },
    use: (key) => used.add(key),
    isUsed: (key) => used.has(key),
  };
}

/** A prompt to be put aside, with the fingerprint of its model. */
interface BatchDraft {
  readonly model: string;
  readonly prompt: BatchPrompt;
}

/** Returns the requests of the questions of a prompt: the first has it, the others name the first. */
function requestsOf(
  run: string,
  keys: readonly string[],
  { model, prompt }: BatchDraft,
): readonly BatchRequest[] {
  const [first = ''] = keys;
  const lead = requestIdOf(first);
  return keys.map((key, index) => ({
    id: requestIdOf(key),
    key,
    run,
    model,
    lead: index === 0 ? null : lead,
    state: 'waiting',
    batch: null,
    tries: 0,
    ...(index === 0 && { prompt }),
  }));
}

/** Returns the request that has the prompt of a question. */
async function findRequest(documents: DocumentReader, key: string): Promise<BatchRequest | undefined> {
  const own = await documents.get(batchRequestKind, [requestIdOf(key)]);
  return own === undefined || own.lead === null ? own : await documents.get(batchRequestKind, [own.lead]);
}

/** Returns whether a request has no answer yet. */
function isOpen({ state }: BatchRequest): boolean {
  return state === 'waiting' || state === 'sent';
}
