import { randomUUID } from 'node:crypto';
import { TouchstoneError } from '../../../core/errors.ts';
import type { Executor } from '../../executors/executor.ts';
import type { Run, RunEnvironment } from '../../../core/schema/run.ts';
import type { AccountRecord } from '../../../core/schema/usage.ts';
import type { Store } from '../../../stores/store.ts';
import { touchstoneVersion } from '../../../core/own-package.ts';
import type { Evaluation } from '../evaluation.ts';
import { createRunControl, type StopSignals } from '../limits/run-control.ts';
import { openParticipants } from '../participants.ts';
import { findDifferences, nameDifferences } from '../prepare/resume.ts';
import { countSpending, type RunNeeds } from '../run-needs.ts';
import { beginToolReport, readTraceparent, type WorkerRecord, workerRecordName } from './fleet-records.ts';
import { beginHeartbeat, type Heartbeat } from './heartbeat.ts';
import { emptySpool, withSpool } from './spool.ts';
import { workThroughParts } from './work-through-parts.ts';

/** The surroundings of a process that works on the run of another one. */
export interface WorkNeeds extends RunNeeds {
  /** The executor of all parts, which share the concurrency of the run. */
  readonly executor: Executor;
  /** The name of this process, which no other one has. */
  readonly worker: string;
  /** Called once it is certain that this process would ask and score as the run does. */
  readonly onFit?: () => void;
}

/**
 * Works on a run that another process has planned: claims one part of the plan after the other, makes the trials that are missing
 * there, and scores them, by the same stages as a run in one process. Ends when every part is done, or when it is stopped. Returns
 * whether the run was stopped by the process that began it. Throws `worker-unfit` when the evaluation is not the one of the run.
 */
export async function workOnRun(runId: string, evaluation: Evaluation, needs: WorkNeeds): Promise<boolean> {
  const onNotice = (message: string) => needs.observer.onNotice?.({ message });
  const spool = needs.spool === undefined ? undefined : { folder: needs.spool, onNotice };
  const store = spool === undefined ? needs.store : withSpool(needs.store, spool);
  const run = await store.readRun(runId);
  if (run === undefined) throw new TouchstoneError('run-not-found', `There is no run ${runId} in the store.`);
  await using heartbeat = await beginHeartbeat(needs, run.id);
  await requireSame(run, evaluation, heartbeat);
  needs.onFit?.();
  if (run.environment !== undefined && needs.environment !== undefined)
    describeOther(run.environment, needs.environment).forEach(onNotice);
  await using _participants = await openParticipants(evaluation);
  const signals = joinSignals(needs.signals, heartbeat.signals);
  await using control = createRunControl(evaluation, { ...needs, signals, runId });
  const observer = countSpending(heartbeat.countFor(needs.observer), control.budget);
  if (spool !== undefined)
    await emptySpool({ ...spool, store: needs.store, runId: run.id, onLate: control.onLate });
  const accounts = createKeptAccounts(run.id, {
    store,
    read: () => control.finish({ ...run, accounts: [] }).accounts ?? [],
    onKept: observer.onAccounts,
  });
  const stages = { ...needs, store: accounts.keepWith(store), observer, control, keepsDone: true };
  observer.onJoined(run, await readTraceparent(run.id, store));
  const keepToolReport = await beginToolReport(run.id, evaluation.tools, store);
  try {
    await workThroughParts(run, evaluation, stages);
  } finally {
    await accounts.keep();
    await keepToolReport();
  }
  return heartbeat.signals.stop.aborted;
}

function joinSignals(one: StopSignals, other: StopSignals): StopSignals {
  return {
    stop: AbortSignal.any([one.stop, other.stop]),
    abort: AbortSignal.any([one.abort, other.abort]),
  };
}

/** Describes in what the surroundings of a worker differ from the surroundings of the run. Its fingerprints may be the same all the same. */
function describeOther(run: RunEnvironment, own: RunEnvironment): string[] {
  const differences = [
    ...(run.node === own.node
      ? []
      : [`Node.js ${own.node}, and the run was started with Node.js ${run.node}`]),
    ...(run.lockHash === own.lockHash
      ? []
      : ['a different lock file of packages from the one the run was started with']),
    ...(run.image === own.image
      ? []
      : [`the image ${own.image ?? 'none'}, and the run ${run.image ?? 'none'}`]),
  ];
  return differences.map((difference) => `This worker has ${difference}.`);
}

/** Throws `worker-unfit` when what this process would ask or score is not what the run has, and reports it to others. */
async function requireSame(run: Run, evaluation: Evaluation, heartbeat: Heartbeat): Promise<void> {
  const isOther = run.touchstoneVersion !== touchstoneVersion;
  const differences = isOther
    ? [`Touchstone: it has ${run.touchstoneVersion}, now ${touchstoneVersion}`]
    : findDifferences(run, evaluation);
  if (differences.length === 0) return;
  const reason = isOther
    ? `it has Touchstone ${touchstoneVersion}`
    : nameDifferences(run, evaluation, differences);
  // Where the store cannot be written to, the error is all that is said.
  await heartbeat.reportUnfit(reason).catch(() => {});
  throw new TouchstoneError(
    'worker-unfit',
    `This worker cannot work on run ${run.id}:\n  ${differences.join('\n  ')}`,
  );
}

/** The calls of a process on accounts, as a record of its run that outlives the process. */
interface KeptAccounts {
  /** Records the calls that have ended and are not in the record yet. */
  keep(): Promise<void>;
  /**
   * Wraps a store so that a write of answers, judgements or scores is over once the calls for them are recorded, too. A trial is in
   * flight until it is written, so what a process that is killed has not recorded are the calls of what it had in flight.
   */
  keepWith(store: Store): Store;
}

/** The needs of keeping accounts. */
interface AccountNeeds {
  readonly store: Pick<Store, 'shared'>;
  /** Returns the calls on each account that this process has made for the run. */
  readonly read: () => readonly AccountRecord[];
  readonly onKept: (accounts: readonly AccountRecord[]) => void;
}

/** Begins to keep the calls of this process for a run. They are added to the calls of the other processes at the end of the run. */
function createKeptAccounts(runId: string, { store: { shared }, read, onKept }: AccountNeeds): KeptAccounts {
  const name = workerRecordName(runId, randomUUID());
  let kept = 0;
  let last: Promise<unknown> = Promise.resolve();

  const keepNow = async () => {
    const accounts = read();
    const requests = accounts.reduce((sum, account) => sum + account.requests, 0);
    if (requests === kept) return;
    const value: WorkerRecord = { accounts };
    await shared.change(name, () => ({ value, result: undefined }));
    kept = requests;
    onKept(accounts);
  };
  const keep = async () => {
    const own = last.then(keepNow);
    last = own.catch(() => {});
    await own;
  };
  const after = async <Result>(writing: Promise<Result>): Promise<Result> =>
    (await Promise.all([writing, keep()]))[0];

  return {
    keep,
    keepWith: (given) => ({
      ...given,
      addTrials: async (...written) => await after(given.addTrials(...written)),
      addJudgements: async (...written) => await after(given.addJudgements(...written)),
      addScores: async (...written) => await after(given.addScores(...written)),
    }),
  };
}
