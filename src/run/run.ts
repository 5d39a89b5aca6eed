import type { Executor } from '../executors/executor.ts';
import type { Judgement } from '../schema/judgement.ts';
import type { ScoredTrial } from '../schema/scored-trial.ts';
import type { Run } from '../schema/run.ts';
import type { Store } from '../stores/store.ts';
import { callTargets, type StopSignals } from './call.ts';
import type { Evaluation } from './evaluation.ts';
import type { LoadNotice } from './load.ts';
import { findSelfJudging } from './find-self-judging.ts';
import { createJudgementKeeper } from './judgement-keeper.ts';
import { withPartnersOpen } from './partners.ts';
import { planRun } from './plan.ts';
import { record } from './record.ts';
import { resumeRun, type TakenUp } from './resume.ts';
import { score } from './score.ts';
import { finishRun } from './summarize.ts';

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
  const onNotice = (notice: LoadNotice) => observer.onNotice?.(notice);
  for (const message of findSelfJudging(evaluation)) onNotice({ message });
  return await withPartnersOpen(evaluation, async () => {
    const planned = resume ?? (await planRun(evaluation, store, onNotice));
    // Two processes at work on one run would pay for every answer twice.
    const giveBack = await store.claimRun(planned.id);
    try {
      const begun = resume === undefined ? freshRun(planned) : await takeUp(resume, evaluation, needs);
      observer.onPlanned?.(begun.run);
      await workThrough(begun, evaluation, needs);
      return await finishRun(begun.run, store);
    } finally {
      giveBack();
    }
  });
}

function freshRun(run: Run): TakenUp {
  return { run, unscored: (async function* () {})() };
}

async function takeUp({ id }: Run, evaluation: Evaluation, { store, observer }: RunNeeds): Promise<TakenUp> {
  // As it is now: another process may have gone on with it since it was looked up.
  return await resumeRun((await store.readRun(id)) as Run, evaluation, {
    store,
    onKept: (trials) => observer.onKept?.(trials),
    onJudged: (judgements) => observer.onJudged?.(judgements),
  });
}

/** call → record → score, for all that is not done yet. */
async function workThrough(
  { run, unscored }: TakenUp,
  evaluation: Evaluation,
  needs: RunNeeds,
): Promise<void> {
  const { store, observer } = needs;
  const judgements = createJudgementKeeper(run.id, {
    store,
    reuses: evaluation.reusesJudgements,
    onKept: (kept) => observer.onJudged?.(kept),
  });
  const makeTrials = (executor: Executor) => callTargets(run, evaluation.targets, { ...needs, executor });
  const trials = inTurn(unscored, record(run.id, makeTrials, needs));
  for await (const scored of score(trials, evaluation, { ...needs, judgements })) {
    await store.addScores(run.id, scored);
    observer.onScored?.(scored);
  }
}

/** One after the other, without reading ahead: what is scored too slowly is to hold up the calls. */
async function* inTurn<Item>(...sources: readonly AsyncIterable<Item>[]): AsyncGenerator<Item> {
  for (const source of sources) yield* source;
}
