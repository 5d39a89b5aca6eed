import type { BatchView } from '../../../core/schema/api/waiting-view.ts';
import type { BatchRequest } from '../../../core/schema/batches/batch.ts';
import type { RunStop } from '../../../core/schema/run.ts';
import type { Store } from '../../../stores/store.ts';
import type { Judge } from '../../judges/judge.ts';
import type { BatchApi } from '../../models/model.ts';
import type { Evaluation } from '../evaluation.ts';
import type { StopSignals } from '../limits/run-control.ts';
import { batchedOf } from '../participants.ts';
import { type BatchDesk, createBatchDesk } from './batch-desk.ts';
import { clearBatches, clearRequests, listBatches, undoBatch } from './batch-records.ts';
import { type BatchPace, usualPace } from './batch-work.ts';
import { type CallDesk, createCallDesk } from './call-desk.ts';
import { workThroughBatches } from './work-through-batches.ts';

/** A metric that asks again about what it got needs another round of batches. What is left after so many is asked one by one. */
const mostRounds = 4;

/** Those that may be asked in batches. */
type Asked = Pick<Evaluation, 'metrics'> & Partial<Pick<Evaluation, 'targets' | 'secrets'>>;

/** The states of a batch that the provider does not have. */
const unsubmitted = ['choosing', 'prepared', 'uploaded'] as const;

/** The states of a batch whose results are not stored. */
const live = [...unsubmitted, 'submitting', 'submitted'] as const;

/** The surroundings of the batches of a run. */
export interface BatchNeeds {
  readonly store: Store;
  readonly signals: StopSignals;
  /** True when nothing is waited for once everything is submitted. */
  readonly isDetached?: boolean;
  /** The earlier runs that are claimed with this one, which continues them. */
  readonly claimed?: readonly string[];
  /** The run that began the lineage of this one; this one by default. */
  readonly lineage?: string;
  readonly pace?: BatchPace;
  /** Returns whether this may be spent. If not, the run has been stopped. By default it may. */
  readonly mayCost?: (reserved: number, cost: number) => boolean;
  readonly onNotice: (message: string) => void;
  readonly onBatches: (batches: readonly BatchView[]) => void;
}

/** The batches in which the judges and targets of a run are asked. */
export interface RunBatches {
  readonly desk: BatchDesk;
  /** The calls of targets; missing where none is asked in batches. */
  readonly calls: CallDesk | undefined;
  /** Called for each trial that waits for a batch. */
  readonly onPending: () => void;
  /**
   * Submits what was put aside, waits for the answers and has the trials scored that waited for them, until all are. Returns why some
   * are not.
   */
  finish(score: () => Promise<void>): Promise<RunStop | undefined>;
}

/** Creates the batches of a run; undefined when none of its judges and targets is asked in batches. */
export function createRunBatches(runId: string, asked: Asked, needs: BatchNeeds): RunBatches | undefined {
  const apis = batchesOf(asked);
  if (apis.size === 0) return undefined;
  const { store, signals, onNotice, onBatches, mayCost = () => true, pace = usualPace } = needs;
  const { claimed = [], lineage = runId } = needs;
  const { documents } = store;
  const desk = createBatchDesk(runId, documents, claimed);
  const areCalls = batchedOf(asked.targets).length > 0;
  let pending = 0;
  const onPending = () => {
    pending += 1;
  };

  /** Returns whether an answer is not needed any more: its trial or its judgements are stored. */
  const isDone = async ({ run, prompt }: BatchRequest): Promise<boolean> => {
    const { call, names = {} } = prompt ?? {};
    const keys = Object.keys(names);
    if (call !== undefined) return keys.every(desk.isUsed) || (await store.findDone(runId, [call])).size > 0;
    if (run === runId) return true;
    const judgements = await Promise.all(keys.map(async (key) => await store.findJudgement(key)));
    return judgements.every((judgement) => judgement !== undefined);
  };

  return {
    desk,
    calls: areCalls ? createCallDesk({ desk, lineage, secrets: asked.secrets, onPending }) : undefined,
    onPending,
    finish: async (score) => {
      await using claims = new AsyncDisposableStack();
      const adopted = claimed.filter((other) => other !== runId);
      const runs = () => [runId, ...adopted];
      const asking = () => runs().filter((other) => other === runId || !claimed.includes(other));
      const work = {
        runId,
        documents,
        runs,
        asking,
        apis,
        signals,
        pace,
        mayCost,
        money: { ended: 0, isHeld: false },
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
      for (const batch of await listBatches(documents, adopted, unsubmitted))
        await undoBatch(batch, documents);
      // A process that died while it stored results has left nothing to ask, and a batch that is not ended.
      const isUnderWay = (await listBatches(documents, runs(), live)).some(({ model }) => apis.has(model));
      let rounds = mostRounds + Number(areCalls);
      for (let round = 1; pending > 0 || (round === 1 && isUnderWay); round += 1) {
        if (round > rounds) desk.close();
        work.money = { ended: 0, isHeld: false };
        const areAnswered = await workThroughBatches(work);
        if (work.money.isHeld) rounds += 1;
        onBatches([]);
        if (!areAnswered) return await describePending(store, runs());
        pending = 0;
        await score();
      }
      if (!signals.stop.aborted) {
        await clearRequests(documents, runs(), isDone);
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

/** Returns the batches of judges and targets, by the fingerprint of the model. */
export function batchesOf({ metrics, targets = [] }: Asked): Map<string, BatchApi> {
  const judges = metrics.flatMap(({ metric }) => metric.judge ?? []).flatMap(membersOf);
  const asked = [...judges, ...targets.map(({ target }) => target)];
  return new Map(asked.flatMap(({ batch }) => (batch === undefined ? [] : [[batch.model, batch] as const])));
}

function membersOf(judge: Judge): Judge[] {
  return judge.members === undefined ? [judge] : judge.members.flatMap(membersOf);
}

async function describePending({ documents }: Store, runs: readonly string[]): Promise<RunStop> {
  const left = await listBatches(documents, runs, live);
  const requests = left.reduce((sum, batch) => sum + batch.requests, 0);
  const hosts = [...new Set(left.map(({ account }) => account))].join(' and ');
  const what = `${requests.toLocaleString('en')} ${requests === 1 ? 'question' : 'questions'}`;
  const verb = requests === 1 ? 'is' : 'are';
  const where = left.length === 1 ? 'a batch' : `${left.length} batches`;
  const message =
    left.length === 0 ? 'questions wait for batches' : `${what} ${verb} in ${where} at ${hosts}`;
  return { reason: 'batch', message };
}
