import { setTimeout as wait } from 'node:timers/promises';
import { messageOf, TouchstoneError } from '../../errors.ts';
import { inBatches } from '../../lib/async-iterables.ts';
import type { Queue } from '../../queues/queue.ts';
import type { Run, RunEnvironment } from '../../schema/run.ts';
import type { Claim, Store } from '../../stores/store.ts';
import { touchstoneVersion } from '../../version.ts';
import type { Evaluation } from '../evaluation.ts';
import { createRunControl, type StopSignals } from '../limits/run-control.ts';
import { openParticipants } from '../participants.ts';
import { ordinalsOf, type PlanPart, planParts } from '../prepare/plan-parts.ts';
import { findDifferences, isScored, nameDifferences } from '../prepare/resume.ts';
import { callAndScore, type Stages } from '../run.ts';
import { countSpending, type RunNeeds } from '../run-needs.ts';
import {
  addDonePart,
  readDoneParts,
  readTraceparent,
  type WorkerRecord,
  workerRecordName,
} from './fleet-records.ts';
import { beginHeartbeat, type Heartbeat } from './heartbeat.ts';
import { emptySpool, withSpool } from './spool.ts';

/** The milliseconds between two looks for a part that another process has given up. */
const lookEveryMs = 500;

/** The surroundings of a process that works on the run of another one. */
export interface WorkNeeds extends RunNeeds {
  /** The name of this process, which no other one has. */
  readonly worker: string;
  /** Called once it is certain that this process would ask and score as the run does. */
  readonly onFit?: (() => void) | undefined;
}

/**
 * Works on a run that another process has planned: claims one part of the plan after the other, makes the trials that are missing
 * there, and scores them, by the same stages as a run in one process. Ends when every part is done, or when it is stopped. Returns
 * whether the run was stopped by the process that began it. Throws `worker-unfit` when the evaluation is not that of the run.
 */
export async function workOnRun(runId: string, evaluation: Evaluation, needs: WorkNeeds): Promise<boolean> {
  const { worker } = needs;
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
  const stages = { ...needs, store, observer, control, keepsDone: true };
  observer.onJoined(run, await readTraceparent(run.id, store));
  const keepAccounts = async () => {
    const { accounts = [] } = control.finish({ ...run, accounts: [] });
    observer.onAccounts(accounts);
    const value: WorkerRecord = { accounts };
    await store.shared.change(workerRecordName(runId, worker), () => ({ value, result: undefined }));
  };
  try {
    await workThroughParts(run, evaluation, { ...stages, onPartDone: keepAccounts });
  } finally {
    await keepAccounts();
  }
  return heartbeat.signals.stop.aborted;
}

/** The stages of a process that works on parts. */
interface PartStages extends Stages {
  /** Called after each part: what a process that is killed has recorded of its calls is kept. */
  readonly onPartDone: () => Promise<void>;
}

function joinSignals(one: StopSignals, other: StopSignals): StopSignals {
  return {
    stop: AbortSignal.any([one.stop, other.stop]),
    abort: AbortSignal.any([one.abort, other.abort]),
  };
}

/** Describes in what the surroundings of a worker differ from those of the run. Its fingerprints may be the same all the same. */
function describeOther(run: RunEnvironment, own: RunEnvironment): string[] {
  const differences = [
    ...(run.node === own.node ? [] : [`Node.js ${own.node}, and the run was begun with Node.js ${run.node}`]),
    ...(run.lockHash === own.lockHash ? [] : ['another lock file of packages than the run was begun with']),
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

/** The milliseconds that a process waits for a part from the queue before it looks for one in the store. */
const queueMs = 10_000;

async function workThroughParts(run: Run, evaluation: Evaluation, stages: PartStages): Promise<void> {
  const { store, control } = stages;
  const { stop } = control.signals;
  const queue = await stages.openQueue?.(run.id);
  const parts = planParts(run);
  // Each process begins somewhere else, so that few of them want the same part.
  const first = Math.floor(Math.random() * parts.length);
  const inTurn = [...parts.slice(first), ...parts.slice(0, first)];
  const workOn = oneAtATime(async (part: PlanPart) => await claimAndWork(run, part, evaluation, stages));
  await using given = takeFromQueue(queue, parts, workOn);
  while (!stop.aborted && !given.hasFailed()) {
    const done = await readDoneParts(run.id, store);
    const open = inTurn.filter(({ name }) => !done.has(name));
    if (open.length === 0) return;
    let hasClaimed = false;
    for (const part of given.isGiving() ? [] : open) {
      if (stop.aborted) return;
      if (await workOn(part)) hasClaimed = true;
      // The queue may be back.
      if (hasClaimed && queue !== undefined) break;
    }
    if (!hasClaimed) await wait(lookEveryMs, undefined, { signal: stop }).catch(() => {});
  }
}

/** Returns a function whose calls wait for each other: a process works on one part, whether the queue gave it or not. */
function oneAtATime<Given, Result>(
  call: (given: Given) => Promise<Result>,
): (given: Given) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return async (given) => {
    const own = last.then(async () => await call(given));
    last = own.catch(() => {});
    return await own;
  };
}

/** The parts that the queue gives to this process. */
interface GivenParts extends AsyncDisposable {
  /** False when the queue has given nothing for a while, so that parts are looked for in the store. */
  isGiving(): boolean;
  /** True when the work on a part has failed. Disposing of this then throws the error. */
  hasFailed(): boolean;
}

/**
 * Takes parts from the queue, if there is one, and works on them, one at a time, until it is disposed of. The queue is a hint: the claim
 * decides.
 */
function takeFromQueue(
  queue: Queue | undefined,
  parts: readonly PlanPart[],
  workOn: (part: PlanPart) => Promise<boolean>,
): GivenParts {
  if (queue === undefined)
    return { isGiving: () => false, hasFailed: () => false, [Symbol.asyncDispose]: async () => {} };
  const byName = new Map(parts.map((part) => [part.name, part]));
  const ended = new AbortController();
  let working = 0;
  let fault: Error | undefined;
  let givenAt = performance.now();
  const handle = async (name: string) => {
    // A name that is not in the plan was put there by somebody else.
    const part = byName.get(name);
    if (part === undefined || ended.signal.aborted) return;
    working += 1;
    try {
      await workOn(part);
    } catch (error) {
      fault ??= error instanceof Error ? error : new Error(messageOf(error));
      throw error;
    } finally {
      working -= 1;
      givenAt = performance.now();
    }
  };
  const taking = queue.work(handle, { concurrency: 1, signal: ended.signal }).catch(() => {});
  return {
    isGiving: () => working > 0 || performance.now() - givenAt < queueMs,
    hasFailed: () => fault !== undefined,
    [Symbol.asyncDispose]: async () => {
      ended.abort();
      await taking;
      await queue.close();
      if (fault !== undefined) throw fault;
    },
  };
}

/** Claims a part and does what is left in it. Returns false when another process works on it, or has done it. */
async function claimAndWork(
  run: Run,
  part: PlanPart,
  evaluation: Evaluation,
  stages: PartStages,
): Promise<boolean> {
  const { store, control } = stages;
  const claim = await claimPart(run.id, part, store);
  if (claim === undefined) return false;
  await using held = claim;
  // Another process may have done it since the list was read.
  if ((await readDoneParts(run.id, store)).has(part.name)) return false;
  stages.observer.onPart(part.name);
  try {
    await workOnPart(run, evaluation, { ...stages, part, claim });
  } finally {
    stages.observer.onPart(undefined);
  }
  await stages.onPartDone();
  if (!control.signals.stop.aborted && !held.lost.aborted) await addDonePart(run.id, part, store);
  return true;
}

/** Claims a part; undefined when another process works on it. */
async function claimPart(runId: string, { name }: PlanPart, store: Store): Promise<Claim | undefined> {
  if (await store.isClaimed(runId, name)) return undefined;
  try {
    return await store.claimRun(runId, name);
  } catch (error) {
    if (error instanceof TouchstoneError && error.code === 'run-in-progress') return undefined;
    throw error;
  }
}

/** Makes and scores what is missing in a part. */
async function workOnPart(
  run: Run,
  evaluation: Evaluation,
  stages: Stages & { readonly part: PlanPart; readonly claim: Claim },
): Promise<void> {
  const { store, part, claim, control } = stages;
  // A process that died while it asked a judge has left its questions locked.
  await store.releaseQuestions(run.id, undefined, part.name);
  const unscored = await findUnscored(run, part, store);
  const { stop, abort } = control.signals;
  const signals = {
    stop: AbortSignal.any([stop, claim.lost]),
    abort: AbortSignal.any([abort, claim.lost]),
  };
  const resumed = { run, unscored: inBatches(store.readResults(run.id, unscored)) };
  await callAndScore(resumed, evaluation, { ...stages, control: { ...control, signals } });
}

/** Returns the ordinals of the trials of a part that are made but not scored. */
async function findUnscored(run: Run, part: PlanPart, store: Store): Promise<number[]> {
  const unscored: number[] = [];
  for await (const result of store.readResults(run.id, ordinalsOf(part, run))) {
    if (result.trial.status !== 'cancelled' && !isScored(result)) unscored.push(result.trial.ordinal);
  }
  return unscored;
}
