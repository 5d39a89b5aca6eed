import type { Executor } from '../executors/executor.ts';
import type { Judgement } from '../schema/judgement.ts';
import type { ScoredTrial } from '../schema/scored-trial.ts';
import type { Run } from '../schema/run.ts';
import type { Summary, TrialCounts } from '../schema/summary.ts';
import type { Store } from '../stores/store.ts';
import { aggregate } from './aggregate.ts';
import { callTargets, type StopSignals } from './call.ts';
import { decide } from './decide.ts';
import type { Evaluation } from './evaluation.ts';
import type { LoadNotice } from './load.ts';
import { findSelfJudging } from './find-self-judging.ts';
import { createJudgementKeeper } from './judgement-keeper.ts';
import { planRun } from './plan.ts';
import { record } from './record.ts';
import { resumeRun, type TakenUp } from './resume.ts';
import { score } from './score.ts';
import { tallyJudgements } from './tally-judgements.ts';

/** Told how a run goes on. Nothing it is told of can be lost any more. */
export interface RunObserver {
  onNotice?(notice: LoadNotice): void;
  /** A run is taken up again: these trials were made before, and are not going to be made again. */
  onKept?(trials: readonly ScoredTrial[]): void;
  /** The plan is frozen; nothing has been called yet. */
  onPlanned?(run: Run): void;
  /** A judge was asked, and what it said is kept. */
  onJudged?(judgements: readonly Judgement[]): void;
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
  for (const message of findSelfJudging(evaluation)) observer.onNotice?.({ message });
  return await withAllOpen(findPartners(evaluation), async () => {
    const planned = resume ?? (await planRun(evaluation, store, (notice) => observer.onNotice?.(notice)));
    // Two processes at work on one run would pay for every answer twice.
    const giveBack = await store.claimRun(planned.id);
    try {
      const taken = resume === undefined ? { run: planned, unscored: nothing() } : await takeUp(resume);
      return await workThrough(taken, evaluation, needs);
    } finally {
      giveBack();
    }
  });

  async function takeUp({ id }: Run): Promise<TakenUp> {
    const onKept = (trials: readonly ScoredTrial[]) => observer.onKept?.(trials);
    // As it is now: another process may have gone on with it since it was looked up.
    return await resumeRun((await store.readRun(id)) as Run, evaluation, {
      store,
      onKept,
      onJudged: (judgements) => observer.onJudged?.(judgements),
    });
  }
}

async function* nothing(): AsyncGenerator<never> {}

/** One after the other, without reading ahead: what is scored too slowly is to hold up the calls. */
async function* inTurn<Item>(...sources: readonly AsyncIterable<Item>[]): AsyncGenerator<Item> {
  for (const source of sources) yield* source;
}

async function workThrough(taken: TakenUp, evaluation: Evaluation, needs: RunNeeds): Promise<Run> {
  const { run: planned, unscored } = taken;
  const { store, observer } = needs;
  observer.onPlanned?.(planned);
  const judgements = createJudgementKeeper(planned.id, {
    store,
    reuses: evaluation.reusesJudgements,
    onKept: (kept) => observer.onJudged?.(kept),
  });
  const makeTrials = (executor: Executor) => callTargets(planned, evaluation.targets, { ...needs, executor });
  const trials = inTurn(unscored, record(planned.id, makeTrials, needs));
  for await (const scored of score(trials, evaluation, { ...needs, judgements })) {
    await store.addScores(planned.id, scored);
    observer.onScored?.(scored);
  }
  return await finishRun(planned, store);
}

/** Turns what is kept of a run into its numbers and its decision, and keeps these. */
async function finishRun(planned: Run, store: Store): Promise<Run> {
  const summary = await summarizeRun(planned, store);
  const isComplete = summary.targets.every(({ counts }) => isDone(counts));
  const finished: Run = {
    ...planned,
    status: isComplete ? 'completed' : 'interrupted',
    finishedAt: new Date().toISOString(),
    summary,
  };
  await store.updateRun(finished);
  return finished;
}

function isDone({ notRun, cancelled, unscored = 0 }: TrialCounts): boolean {
  return notRun + cancelled + unscored === 0;
}

/** The numbers and the decision of a run, from what is kept of it. */
export async function summarizeRun(run: Run, store: Store): Promise<Summary> {
  const categories = await store.countCategories(run.id);
  const numbers = await aggregate(run, categories, store.readOutcomes(run.id));
  const judge = await tallyJudgements(run.id, store.readJudgements(run.id), numbers.targets);
  const decision = decide(numbers.targets, run.gate);
  return { ...numbers, ...(judge && { judge }), decision };
}

/** Whatever a run talks to. */
interface Partner {
  open?(): Promise<void>;
  close?(): Promise<void>;
}

function findPartners({ targets, metrics }: Evaluation): Partner[] {
  const judges = new Set(metrics.flatMap(({ metric }) => metric.judge ?? []));
  return [...targets.map(({ target }) => target), ...judges];
}

/** Makes sure that all can be reached before the first question, and ends all of them after the last. */
async function withAllOpen<Result>(
  partners: readonly Partner[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    const opened = await Promise.allSettled(partners.map(async (partner) => await partner.open?.()));
    const failure = opened.find((result) => result.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
    return await work();
  } finally {
    await Promise.allSettled(partners.map(async (partner) => await partner.close?.()));
  }
}
