import { setInterval as every } from 'node:timers/promises';
import { messageOf, TouchstoneError } from '../../../core/errors.ts';
import { sequentialOf } from '../../../core/schema/gate.ts';
import { createDueWork } from '../../../core/lib/due-work.ts';
import { onAbort } from '../../../core/lib/waiting.ts';
import type { WorkerView } from '../../../core/schema/api/worker-view.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Trial } from '../../../core/schema/trial.ts';
import type { Evaluation } from '../evaluation.ts';
import { joinAccounts, type RunControl } from '../limits/run-control.ts';
import { planParts } from '../prepare/plan-parts.ts';
import {
  clearStop,
  forgetFleet,
  keepTraceparent,
  openToWorkers,
  orderStop,
  readDoneParts,
  takeAccounts,
  type StopOrder,
} from './fleet-records.ts';
import { readWorkers } from './heartbeat.ts';
import { emptySpool } from './spool.ts';
import { readWaiting } from './waiting-report.ts';
import { resumeRun } from '../prepare/prepare-run.ts';
import type { ResumedRun } from '../prepare/resume.ts';
import type { RunNeeds } from '../run-needs.ts';

/**
 * Lets the fleet work on a run, if there is one, and returns what it has left: nothing, unless processes died or were stopped.
 * Throws `usage-invalid` for a run whose trials depend on each other's results.
 */
export async function leaveToFleet(
  resumed: ResumedRun,
  evaluation: Evaluation,
  needs: RunNeeds & Pick<RunControl, 'onLate'> & { readonly onLeft: (trial: Trial) => void },
): Promise<ResumedRun> {
  const { fleet, store } = needs;
  if (fleet === undefined) return await withFleetAccounts(resumed, store);
  const { environment } = needs;
  const run = { ...resumed.run, ...(environment !== undefined && { environment }) };
  refuseOneByOne(run);
  if (environment !== undefined) await store.updateRun(run);
  await forgetFleet(run.id, store);
  await clearStop(run.id, store);
  await keepTraceparent(run.id, needs.traceparentOf?.(run), store);
  for await (const batch of resumed.unscored) for (const { trial } of batch) needs.onLeft(trial);
  await storeSpooled(run.id, needs);
  {
    await using _open = await openToWorkers(run.id, store);
    await using _queue = await keepFilled(run, needs);
    await using _following = followWorkers(run, needs);
    await using _stopping = passStopOn(run.id, needs);
    await fleet.work(run, needs);
  }
  await storeSpooled(run.id, needs);
  const isComplete = await hasMadeAll(run, store);
  // What was made meanwhile has been reported by those who made it.
  const plan = { run, isResumed: !isComplete, [Symbol.asyncDispose]: () => Promise.resolve() };
  const left = { ...(await resumeRun(plan, evaluation, { ...needs, observer: {} })), isComplete };
  await forgetFleet(run.id, store);
  return await withFleetAccounts(left, store);
}

/** Returns whether the fleet has made and scored every trial: then no record has to be read to find what it has left. */
async function hasMadeAll(run: Run, store: RunNeeds['store']): Promise<boolean> {
  // Judges that failed to give a verdict are asked for it once more.
  if (run.metrics.some(({ judge }) => judge !== undefined)) return false;
  const done = await readDoneParts(run.id, store);
  if (planParts(run).some(({ name }) => !done.has(name))) return false;
  const planned = run.dataset.cases * run.targets.length * run.attempts;
  return (await store.countProgress(run.id)).done === planned;
}

/** Adds the calls on accounts that the processes of a run have made, those included that worked for a first process that was killed. */
async function withFleetAccounts(left: ResumedRun, store: RunNeeds['store']): Promise<ResumedRun> {
  const accounts = joinAccounts(left.run.accounts ?? [], await takeAccounts(left.run.id, store));
  return { ...left, run: { ...left.run, ...(accounts.length > 0 && { accounts }) } };
}

/** Stores what workers that have died have saved in their folder while the store was away. */
async function storeSpooled(
  runId: string,
  { spool, store, observer, onLate }: RunNeeds & Pick<RunControl, 'onLate'>,
): Promise<void> {
  const onNotice = (message: string) => observer.onNotice?.({ message });
  if (spool !== undefined) await emptySpool({ folder: spool, store, runId, onNotice, onLate });
}

/** A gate that decides as early as it can, and targets that take turns, need the trials in one order. */
function refuseOneByOne({ gate, isInterleaved }: Run): void {
  if (sequentialOf(gate) !== undefined) {
    throw new TouchstoneError(
      'usage-invalid',
      'A gate that ends the run early needs all attempts in one process.',
      {
        remedy: 'Add `--no-sequential`, or omit `--workers`.',
      },
    );
  }
  if (isInterleaved === true)
    throw new TouchstoneError('usage-invalid', 'Targets that take turns are asked by one process.', {
      remedy: 'Omit `--workers`.',
    });
}

/** The milliseconds between two readings of the workers of a run. */
const followEveryMs = 2000;

/** Reports the workers to the observer until it is disposed of, and by a notice each that is refused or stops answering. */
function followWorkers(run: Run, { store, observer }: Pick<RunNeeds, 'store' | 'observer'>): AsyncDisposable {
  const known = new Map<string, WorkerView['state']>();
  const follow = async () => {
    const workers = await readWorkers(run.id, store);
    observer.onWaiting?.(await readWaiting(run.id, store));
    observer.onWorkers?.(workers, planParts(run).length - (await readDoneParts(run.id, store)).size);
    for (const { worker, machine, pid, state, unfit } of workers) {
      const isNew = known.get(worker) !== state;
      known.set(worker, state);
      if (!isNew || (state !== 'unfit' && state !== 'silent')) continue;
      const what = state === 'unfit' ? `is unfit: ${unfit}` : 'has stopped answering';
      observer.onNotice?.({ message: `The worker ${pid} on ${machine} ${what}.` });
    }
  };
  const work = createDueWork(async () => {
    await follow().catch(() => {}); // Where the store is away, the run learns of it by its next write.
    work.within(followEveryMs);
  });
  work.within(followEveryMs);
  return {
    [Symbol.asyncDispose]: async () => {
      await work.stop();
      observer.onWorkers?.([], 0);
      observer.onWaiting?.(undefined);
    },
  };
}

/** Passes the order to stop on through the store, to the workers that other processes have started. */
function passStopOn(runId: string, { store, signals }: Pick<RunNeeds, 'store' | 'signals'>): AsyncDisposable {
  let passed = Promise.resolve();
  // Where the store is away, the order reaches only the workers that this process has started.
  const pass = (order: StopOrder) => () => {
    passed = passed.then(async () => await orderStop(runId, order, store)).catch(() => {});
  };
  const cancels = [onAbort(signals.stop, pass('stop')), onAbort(signals.abort, pass('abort'))];
  if (signals.stop.aborted) pass('stop')();
  return {
    [Symbol.asyncDispose]: async () => {
      for (const cancel of cancels) cancel();
      await passed;
    },
  };
}

/** The milliseconds after which the parts that are left are added to the queue again, in case it has lost some. */
const fillEveryMs = 5000;

/** Puts all parts of the plan that are left into the queue, if there is one, again and again, and removes it in the end. */
async function keepFilled(
  run: Run,
  { openQueue, store, observer }: Pick<RunNeeds, 'openQueue' | 'store' | 'observer'>,
): Promise<AsyncDisposable> {
  const queue = await openQueue?.(run.id);
  if (queue === undefined) return { [Symbol.asyncDispose]: async () => {} };
  let isReached = true;
  const fill = async () => {
    const done = await readDoneParts(run.id, store);
    try {
      await queue.add(planParts(run).flatMap(({ name }) => (done.has(name) ? [] : [name])));
      isReached = true;
    } catch (error) {
      const message = `The queue cannot be reached, so that workers look for their parts in the store: ${messageOf(error)}`;
      if (isReached) observer.onNotice?.({ message });
      isReached = false;
    }
  };
  const ended = new AbortController();
  const filling = (async () => {
    await fill();
    for await (const _ of every(fillEveryMs, undefined, { signal: ended.signal })) await fill();
  })().catch(() => {});
  return {
    [Symbol.asyncDispose]: async () => {
      ended.abort();
      await filling;
      if (isReached) await queue.remove().catch(() => {});
      await queue.close();
    },
  };
}
