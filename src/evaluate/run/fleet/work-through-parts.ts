import { setTimeout as wait } from 'node:timers/promises';
import { TouchstoneError } from '../../../core/errors.ts';
import { inBatches } from '../../../core/lib/async-iterables.ts';
import type { Queue } from '../../queues/queue.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Claim, Store } from '../../../stores/store.ts';
import type { Evaluation } from '../evaluation.ts';
import { ordinalsOf, type PlanPart, planParts } from '../prepare/plan-parts.ts';
import { isScored } from '../prepare/resume.ts';
import { callAndScore, type Stages } from '../run.ts';
import { addDonePart, readDoneParts } from './fleet-records.ts';

/** The milliseconds between two looks for a part that another process has given up. */
const lookEveryMs = 500;

/** The milliseconds that a process waits for a part from the queue before it looks for one in the store. */
const queueMs = 10_000;

/**
 * Works on parts of the plan of a run until all are done, or it is stopped. Begins a part once all trials of the one before have begun,
 * while their last calls are in flight.
 */
export async function workThroughParts(run: Run, evaluation: Evaluation, stages: Stages): Promise<void> {
  const work = createPartWork(run, evaluation, stages);
  try {
    await beginParts(run, stages, work);
  } finally {
    await work.end();
  }
  work.throwFault();
}

/** Begins one part after the other until all are done, or the process is stopped, or one of them has failed. */
async function beginParts(run: Run, stages: Stages, work: PartWork): Promise<void> {
  const { store, control } = stages;
  const { stop } = control.signals;
  const queue = await stages.openQueue?.(run.id);
  const parts = planParts(run);
  // Each process begins somewhere else, so that few of them want the same part.
  const first = Math.floor(Math.random() * parts.length);
  const inTurn = [...parts.slice(first), ...parts.slice(0, first)];
  await using given = takeFromQueue(queue, parts, work.begin);
  while (!stop.aborted && !work.hasFailed()) {
    const done = await readDoneParts(run.id, store);
    const open = inTurn.filter(({ name }) => !done.has(name));
    if (open.length === 0) return;
    let hasBegun = false;
    for (const part of given.isGiving() ? [] : open) {
      if (stop.aborted || work.hasFailed()) return;
      hasBegun = await work.begin(part);
      // Meanwhile others have done some, and the queue may be back.
      if (hasBegun) break;
    }
    if (!hasBegun) await work.untilEnd(lookEveryMs);
  }
}

/** The parts that this process works on. */
interface PartWork {
  /**
   * Begins a part unless another process works on it or has done it, which gives false. Resolves to true once all of its trials have
   * begun, so that there is room for another part. Calls wait for each other.
   */
  begin(part: PlanPart): Promise<boolean>;
  hasFailed(): boolean;
  /** Waits until all parts that have begun have ended. */
  end(): Promise<void>;
  /** Throws the first error in a part, if there was one. */
  throwFault(): void;
  /** Waits until a part ends or the process is stopped, but no longer than so many milliseconds. */
  untilEnd(milliseconds: number): Promise<void>;
}

function createPartWork(run: Run, evaluation: Evaluation, stages: Stages): PartWork {
  const { store, observer } = stages;
  const underWay = new Map<string, Promise<void>>();
  let fault: { readonly error: unknown } | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const workOn = async (part: PlanPart, claim: Claim, onAllBegun: () => void): Promise<void> => {
    await using _claim = claim;
    observer.onPart(part, true);
    try {
      await workOnPart(run, evaluation, { ...stages, part, claim, onAllBegun });
    } finally {
      observer.onPart(part, false);
    }
    if (!stages.control.signals.stop.aborted && !claim.lost.aborted) await addDonePart(run.id, part, store);
  };

  /** Returns whether another process has done a part since the list was read, and gives the claim back if so. */
  const isDoneOtherwise = async (part: PlanPart, claim: Claim): Promise<boolean> => {
    try {
      if (!(await readDoneParts(run.id, store)).has(part.name)) return false;
    } catch (error) {
      // A claim that stays would be renewed as long as this process lives, and no process would do the part.
      await claim[Symbol.asyncDispose]();
      throw error;
    }
    await claim[Symbol.asyncDispose]();
    return true;
  };

  const claimAndBegin = async (part: PlanPart): Promise<boolean> => {
    if (underWay.has(part.name)) return false;
    const claim = await claimPart(run.id, part, store);
    if (claim === undefined) return false;
    if (await isDoneOtherwise(part, claim)) return false;
    const begun = Promise.withResolvers<void>();
    const work = workOn(part, claim, begun.resolve)
      .catch((error: unknown) => {
        fault ??= { error };
      })
      .finally(() => underWay.delete(part.name));
    underWay.set(part.name, work);
    await Promise.race([begun.promise, work]);
    return true;
  };

  return {
    begin: async (part) => {
      const own = last.then(async () => await claimAndBegin(part));
      last = own.catch((error: unknown) => {
        fault ??= { error };
      });
      return await own;
    },
    hasFailed: () => fault !== undefined,
    untilEnd: async (milliseconds) => {
      const ended = new AbortController();
      void Promise.race(underWay.values()).then(() => ended.abort());
      const signal = AbortSignal.any([stages.control.signals.stop, ended.signal]);
      await wait(milliseconds, undefined, { signal }).catch(() => {}); // It was woken.
    },
    end: async () => {
      await last;
      await Promise.all(underWay.values());
    },
    throwFault: () => {
      if (fault !== undefined) throw fault.error;
    },
  };
}

/** The parts that the queue gives to this process. */
interface GivenParts extends AsyncDisposable {
  /** False when the queue has given nothing for a while, so that parts are looked for in the store. */
  isGiving(): boolean;
}

/**
 * Takes parts from the queue, if there is one, one at a time, until it is disposed of: the next one once all trials of the last have
 * begun. The queue is a hint: the claim decides.
 */
function takeFromQueue(
  queue: Queue | undefined,
  parts: readonly PlanPart[],
  begin: (part: PlanPart) => Promise<boolean>,
): GivenParts {
  if (queue === undefined) return { isGiving: () => false, [Symbol.asyncDispose]: async () => {} };
  const byName = new Map(parts.map((part) => [part.name, part]));
  const ended = new AbortController();
  let working = 0;
  let givenAt = performance.now();
  const handle = async (name: string) => {
    // A name that is not in the plan was put there by someone else.
    const part = byName.get(name);
    if (part === undefined || ended.signal.aborted) return;
    working += 1;
    try {
      await begin(part);
    } finally {
      working -= 1;
      givenAt = performance.now();
    }
  };
  const taking = queue.work(handle, { concurrency: 1, signal: ended.signal }).catch(() => {});
  return {
    isGiving: () => working > 0 || performance.now() - givenAt < queueMs,
    [Symbol.asyncDispose]: async () => {
      ended.abort();
      await taking;
      await queue.close();
    },
  };
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
  const asksJudges = run.metrics.some(({ judge }) => judge !== undefined);
  if (asksJudges) await store.releaseQuestions(run.id, undefined, part.name);
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
