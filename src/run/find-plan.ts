import type { Judgement } from '../schema/judgement.ts';
import type { Run } from '../schema/run.ts';
import type { ScoredTrial } from '../schema/scored-trial.ts';
import type { Evaluation } from './evaluation.ts';
import { hasOtherCases } from './find-differences.ts';
import type { LoadNotice } from './load.ts';
import { planRun } from './plan.ts';
import { checkResumable, resumeRun, type TakenUp } from './resume.ts';
import type { RunNeeds } from './run-needs.ts';
import { takeOver } from './take-over.ts';

/** What is going to be worked through. */
export interface Plan {
  readonly run: Run;
  /** The run that is gone on with: the same one, or an earlier one that had other cases. */
  readonly earlier: Run | undefined;
}

/**
 * The plan of a new run; or that of a run that is gone on with, unless its cases have changed since: then there is a new
 * plan. Throws `run-not-resumable` for a run that cannot be gone on with.
 */
export async function findPlan(
  evaluation: Evaluation,
  { store, observer }: RunNeeds,
  earlier: Run | undefined,
): Promise<Plan> {
  const onNotice = (notice: LoadNotice) => observer.onNotice?.(notice);
  if (earlier === undefined) return { run: await planRun(evaluation, store, onNotice), earlier };
  const hasChangedCases = await hasOtherCases(earlier, evaluation);
  checkResumable(earlier, evaluation, hasChangedCases);
  return { run: hasChangedCases ? await planRun(evaluation, store, onNotice) : earlier, earlier };
}

/** Takes up a plan with the trials that are there already. */
export async function takeUp(
  { run, earlier }: Plan,
  evaluation: Evaluation,
  { store, observer }: RunNeeds,
): Promise<TakenUp> {
  if (earlier === undefined) return { run, unscored: (async function* () {})() };
  const told = {
    store,
    onKept: (trials: readonly ScoredTrial[]) => observer.onKept?.(trials),
    onJudged: (judgements: readonly Judgement[]) => observer.onJudged?.(judgements),
  };
  if (run.id !== earlier.id) {
    const message = `The cases have changed since run ${earlier.id}: its answers to the others are taken over, in a new run.`;
    observer.onNotice?.({ message });
    return await takeOver(earlier, run, told);
  }
  // As it is now: another process may have gone on with it since it was looked up.
  return await resumeRun((await store.readRun(run.id)) as Run, evaluation, told);
}
