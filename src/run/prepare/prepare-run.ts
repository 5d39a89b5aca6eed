import type { Judgement } from '../../schema/judgement.ts';
import type { Run } from '../../schema/run.ts';
import type { ScoredTrial } from '../../schema/result.ts';
import { touchstoneVersion } from '../../version.ts';
import type { Evaluation } from '../evaluation.ts';
import type { RunNeeds } from '../run-needs.ts';
import { findLineage, reuseAnswers } from './lineage.ts';
import type { LoadNotice } from './load.ts';
import { hashPlan, planRun } from './plan.ts';
import { checkResumable, reopenRun, type ResumedRun } from './resume.ts';

/** What is going to be worked through, by this caller alone. */
export interface Plan {
  readonly run: Run;
  /** Whether there is something to go on with: answers of the run itself, or of an earlier one that had other cases. */
  readonly isResumed: boolean;
  /** Lets others work on it again. */
  readonly release: () => Promise<void>;
}

interface Planning extends RunNeeds {
  /** Releases the runs that were claimed. */
  readonly claims: AsyncDisposableStack;
}

/**
 * The plan of a new run; or that of a run that is gone on with, unless its cases have changed since: then there is a new
 * plan, once. Throws `run-not-resumable` for a run that cannot be gone on with, and `run-in-progress` for one that another
 * is at work on: two at work on one run, or on two of a family, would pay for every answer twice.
 */
export async function prepareRun(evaluation: Evaluation, needs: RunNeeds, earlier?: Run): Promise<Plan> {
  const claims = new AsyncDisposableStack();
  try {
    const planning = { ...needs, claims };
    const run =
      earlier === undefined
        ? await plan(evaluation, planning)
        : await continueRun(earlier, evaluation, planning);
    return { run, isResumed: earlier !== undefined, release: async () => await claims.disposeAsync() };
  } catch (error) {
    await claims.disposeAsync();
    throw error;
  }
}

/** The run itself, or one that takes over its answers to the cases that have not changed. */
async function continueRun(earlier: Run, evaluation: Evaluation, needs: Planning): Promise<Run> {
  const { store, observer, signals } = needs;
  const { first } = await findLineage(earlier, store);
  for (const id of new Set([first.id, earlier.id])) await claimWithQuestions(id, needs);
  // Standard input cannot be read again: its cases are as they were.
  const isReadOnce = evaluation.dataset.sources.includes('<stdin>');
  const hash = isReadOnce ? earlier.dataset.hash : await hashPlan(evaluation, signals.stop);
  const hasChangedCases = hash !== earlier.dataset.hash;
  checkResumable(earlier, evaluation, hasChangedCases);
  if (earlier.touchstoneVersion !== touchstoneVersion) {
    const versions = `Touchstone ${earlier.touchstoneVersion}, and this is ${touchstoneVersion}`;
    observer.onNotice?.({ message: `Run ${earlier.id} was begun by ${versions}.` });
  }
  if (!hasChangedCases) return earlier;
  // As it is now: another process may have gone on with it before it was claimed.
  const { later } = await findLineage(earlier, store);
  const begun = later.find(({ dataset }) => dataset.hash === hash);
  if (begun !== undefined) checkResumable(begun, evaluation, false);
  const message = `The cases have changed since run ${earlier.id}: its answers to the others are taken over, in a new run.`;
  observer.onNotice?.({ message });
  if (begun === undefined) return await plan(evaluation, needs, earlier);
  await claimWithQuestions(begun.id, needs);
  return begun;
}

/** Takes a run with the questions that a process was asking when it died over it: nobody is to wait for their answers. */
async function claimWithQuestions(runId: string, { store, claims }: Planning): Promise<void> {
  claims.use(await store.claimRun(runId));
  await store.releaseQuestions(runId);
}

async function plan(
  evaluation: Evaluation,
  { store, observer, claims, signals: { stop } }: Planning,
  earlier?: Run,
): Promise<Run> {
  const onNotice = (notice: LoadNotice) => observer.onNotice?.(notice);
  return await planRun(evaluation, store, { onNotice, continues: earlier?.id, claims, stop });
}

/** Takes up a plan with the trials that are there already. */
export async function resumeRun(
  { run: { id }, isResumed, run }: Plan,
  evaluation: Evaluation,
  { store, observer }: RunNeeds,
): Promise<ResumedRun> {
  if (!isResumed) return { run, unscored: (async function* () {})() };
  // As it is now: another process may have gone on with it since it was looked up.
  const current = (await store.readRun(id)) as Run;
  await reuseAnswers(current, store);
  return await reopenRun(current, evaluation, {
    store,
    onKept: (trials: readonly ScoredTrial[]) => observer.onKept?.(trials),
    onJudged: (judgements: readonly Judgement[]) => observer.onJudged?.(judgements),
  });
}
