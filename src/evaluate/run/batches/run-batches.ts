import { createHash } from 'node:crypto';
import { batchPerTurn } from '../../../core/lib/waiting.ts';
import type { BatchView } from '../../../core/schema/api/waiting-view.ts';
import type { Batch, BatchPrompt, BatchRequest } from '../../../core/schema/batches/batch.ts';
import type { RunStop } from '../../../core/schema/run.ts';
import type { DocumentReader, DocumentStore } from '../../../stores/documents/document-store.ts';
import { batchKind, batchRequestKind } from '../../../stores/kinds/batch.ts';
import type { Store } from '../../../stores/store.ts';
import type { BatchedQuestions, FoundRequest, Judge } from '../../judges/judge.ts';
import type { BatchApi } from '../../models/model.ts';
import type { ResolvedMetric } from '../evaluation.ts';
import type { StopSignals } from '../limits/run-control.ts';
import { clearBatches, clearRequests, listBatches } from './batch-records.ts';
import { type BatchPace, usualPace } from './batch-work.ts';
import { workThroughBatches } from './work-through-batches.ts';

/** A metric that asks again about what it got needs another round of batches. What is left after so many is asked one by one. */
const mostRounds = 4;

/** The states of a batch whose results are not stored. */
const live = ['choosing', 'prepared', 'uploaded', 'submitting', 'submitted'] as const;

/** The surroundings of the batches of a run. */
export interface BatchNeeds {
  readonly store: Store;
  readonly signals: StopSignals;
  /** True when nothing is waited for once everything is submitted. */
  readonly isDetached?: boolean;
  readonly pace?: BatchPace;
  /** Returns whether this may be spent. If not, the run has been stopped. By default it may. */
  readonly mayCost?: (reserved: number, cost: number) => boolean;
  readonly onNotice: (message: string) => void;
  readonly onBatches: (batches: readonly BatchView[]) => void;
}

/** The batches in which the judges of a run are asked. */
export interface RunBatches {
  readonly desk: BatchDesk;
  /** Called for each trial that waits for a batch. */
  readonly onPending: () => void;
  /**
   * Submits what was put aside, waits for the answers and has the trials scored that waited for them, until all are. Returns why some
   * are not.
   */
  finish(score: () => Promise<void>): Promise<RunStop | undefined>;
}

/** Creates the batches of a run; undefined when none of its judges is asked in batches. */
export function createRunBatches(
  runId: string,
  metrics: readonly ResolvedMetric[],
  needs: BatchNeeds,
): RunBatches | undefined {
  const apis = batchesOf(metrics);
  if (apis.size === 0) return undefined;
  const { store, signals, onNotice, onBatches, mayCost = () => true, pace = usualPace } = needs;
  const { documents } = store;
  const desk = createBatchDesk(runId, documents);
  let pending = 0;

  return {
    desk,
    onPending: () => {
      pending += 1;
    },
    finish: async (score) => {
      await using claims = new AsyncDisposableStack();
      const adopted: string[] = [];
      const runs = () => [runId, ...adopted];
      const work = {
        runId,
        documents,
        runs,
        apis,
        signals,
        pace,
        mayCost,
        onNotice,
        onBatches,
        store,
        mostRequests: new Map<string, number>(),
        others: desk.others,
        adopt: (other: string, claim: AsyncDisposable) => {
          claims.use(claim);
          adopted.push(other);
        },
        isDetached: needs.isDetached === true,
      };
      // A process that died while it stored results has left nothing to ask, and a batch that is not ended.
      const isUnderWay = (await listBatches(documents, [runId], live)).some(({ model }) => apis.has(model));
      for (let round = 1; pending > 0 || (round === 1 && isUnderWay); round += 1) {
        if (round > mostRounds) desk.close();
        const areAnswered = await workThroughBatches(work);
        onBatches([]);
        if (!areAnswered) return await describePending(store, runs());
        pending = 0;
        await score();
      }
      if (!signals.stop.aborted) {
        const isJudged = async (key: string) => (await store.findJudgement(key)) !== undefined;
        await clearRequests(documents, { run: runId, others: adopted }, isJudged);
        await clearBatches(documents, runs(), async ({ model, jobs }) => {
          // What cannot be removed now is removed by the provider in time.
          for (const job of jobs)
            await apis
              .get(model)
              ?.remove(job, signals.abort)
              .catch(() => {});
        });
      }
      return undefined;
    },
  };
}

/** Returns the batches of the judges of metrics, by the fingerprint of the model. */
export function batchesOf(metrics: readonly ResolvedMetric[]): Map<string, BatchApi> {
  const judges = metrics.flatMap(({ metric }) => metric.judge ?? []).flatMap(membersOf);
  return new Map(judges.flatMap(({ batch }) => (batch === undefined ? [] : [[batch.model, batch] as const])));
}

function membersOf(judge: Judge): Judge[] {
  return judge.members === undefined ? [judge] : judge.members.flatMap(membersOf);
}

async function describePending({ documents }: Store, runs: readonly string[]): Promise<RunStop> {
  const left = await listBatches(documents, runs, live);
  const requests = left.reduce((sum, batch) => sum + batch.requests, 0);
  const hosts = [...new Set(left.map(({ account }) => account))].join(' and ');
  const what = `${requests.toLocaleString('en')} ${requests === 1 ? 'question' : 'questions'} to judges`;
  const verb = requests === 1 ? 'is' : 'are';
  const where = left.length === 1 ? 'a batch' : `${left.length} batches`;
  const message =
    left.length === 0 ? 'questions to judges wait for batches' : `${what} ${verb} in ${where} at ${hosts}`;
  return { reason: 'batch', message };
}

/** The questions of a run that are put aside for batches. */
export interface BatchDesk extends BatchedQuestions {
  /** Returns the other runs whose requests have questions of this run too. */
  others(): ReadonlySet<string>;
  /** Makes no further batches: what is in none is asked at once. */
  close(): void;
}

/** Returns the name of the request of a question: a hash of its key, so that no result of another can be taken for its own. */
export function requestIdOf(key: string): string {
  return `t_${createHash('sha256').update(key).digest('base64url')}`;
}

/** Creates the desk of a run. Questions of one turn of the event loop are put aside in one write. */
export function createBatchDesk(runId: string, documents: DocumentStore): BatchDesk {
  const others = new Set<string>();
  const gathered = new Map<string, Batch>();
  let isClosed = false;

  async function batchOf({ state, batch }: BatchRequest): Promise<Batch | undefined> {
    if (state !== 'answered' || batch === null) return undefined;
    const known = gathered.get(batch) ?? (await documents.get(batchKind, [batch]));
    if (known?.state === 'gathered') gathered.set(batch, known);
    return known;
  }

  const find = async (key: string): Promise<FoundRequest | undefined> => {
    const request = await findRequest(documents, key);
    if (request === undefined) return undefined;
    if (request.run !== runId && isOpen(request)) others.add(request.run);
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
