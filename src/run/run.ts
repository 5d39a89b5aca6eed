import type { Executor } from '../executors/executor.ts';
import type { ScoredTrial } from '../schema/scored-trial.ts';
import type { Run } from '../schema/run.ts';
import type { Summary } from '../schema/summary.ts';
import type { Store } from '../stores/store.ts';
import { aggregate } from './aggregate.ts';
import { callTargets, type StopSignals } from './call.ts';
import { decide } from './decide.ts';
import type { Evaluation, LiveTarget } from './evaluation.ts';
import type { LoadNotice } from './load.ts';
import { planRun } from './plan.ts';
import { record } from './record.ts';
import { resumeRun } from './resume.ts';
import { score } from './score.ts';

/** Told how a run goes on. Nothing it is told of can be lost any more. */
export interface RunObserver {
  onNotice?(notice: LoadNotice): void;
  /** A run is taken up again: these trials were made before, and are not going to be made again. */
  onKept?(trials: readonly ScoredTrial[]): void;
  /** The plan is frozen; nothing has been called yet. */
  onPlanned?(run: Run): void;
  /** Trials were called, recorded, scored, and their scores kept. */
  onScored?(trials: readonly ScoredTrial[]): void;
}

/** Where a run takes place. */
export interface RunNeeds {
  readonly store: Store;
  readonly executor: Executor;
  readonly observer: RunObserver;
  readonly signals: StopSignals;
}

/** A run that cannot be stopped from outside. */
export const neverStopped: StopSignals = {
  stop: new AbortController().signal,
  abort: new AbortController().signal,
};

/**
 * Runs an evaluation: load → plan → call → record → score → aggregate → decide. With `resume`, goes on with a run that
 * was interrupted. Returns the run as it is kept, with its summary.
 * Throws `TouchstoneError` for what is wrong before the first call; then no new run is left behind.
 */
export async function run(evaluation: Evaluation, needs: RunNeeds, resume?: Run): Promise<Run> {
  const { store, observer } = needs;
  return await withTargetsOpen(evaluation.targets, async () => {
    const planned = resume ?? (await planRun(evaluation, store, (notice) => observer.onNotice?.(notice)));
    // Two processes at work on one run would pay for every answer twice.
    const giveBack = await store.claimRun(planned.id);
    try {
      return await workThrough(resume === undefined ? planned : await takeUp(resume), evaluation, needs);
    } finally {
      giveBack();
    }
  });

  async function takeUp({ id }: Run): Promise<Run> {
    const onKept = (trials: readonly ScoredTrial[]) => observer.onKept?.(trials);
    // As it is now: another process may have gone on with it since it was looked up.
    return await resumeRun((await store.readRun(id)) as Run, evaluation, { store, onKept });
  }
}

async function workThrough(planned: Run, evaluation: Evaluation, needs: RunNeeds): Promise<Run> {
  const { store, observer } = needs;
  observer.onPlanned?.(planned);
  const makeTrials = (executor: Executor) => callTargets(planned, evaluation.targets, { ...needs, executor });
  const trials = record(planned.id, makeTrials, needs);
  for await (const scored of score(trials, evaluation)) {
    await store.addScores(planned.id, scored);
    observer.onScored?.(scored);
  }
  return await finishRun(planned, store);
}

/** Turns what is kept of a run into its numbers and its decision, and keeps these. */
async function finishRun(planned: Run, store: Store): Promise<Run> {
  const summary = await summarizeRun(planned, store);
  const isComplete = summary.targets.every(({ counts }) => counts.notRun + counts.cancelled === 0);
  const finished: Run = {
    ...planned,
    status: isComplete ? 'completed' : 'interrupted',
    finishedAt: new Date().toISOString(),
    summary,
  };
  await store.updateRun(finished);
  return finished;
}

/** The numbers and the decision of a run, from what is kept of it. */
export async function summarizeRun(run: Run, store: Store): Promise<Summary> {
  const categories = await store.countCategories(run.id);
  const numbers = await aggregate(run, categories, store.readOutcomes(run.id));
  return { ...numbers, decision: decide(numbers.targets, run.gate) };
}

/** Makes sure that every target can be reached before the first question, and ends all of them after the last. */
async function withTargetsOpen<Result>(
  targets: readonly LiveTarget[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    const opened = await Promise.allSettled(targets.map(async ({ target }) => await target.open?.()));
    const failure = opened.find((result) => result.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
    return await work();
  } finally {
    await Promise.allSettled(targets.map(async ({ target }) => await target.close?.()));
  }
}
