import type { Judgement } from '../../../core/schema/judgement.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { ScoredTrial } from '../../../core/schema/result.ts';
import { toolCallsOf } from '../../../core/schema/trial.ts';
import { touchstoneVersion } from '../../../core/own-package.ts';
import type { Evaluation, EvaluationTools } from '../evaluation.ts';
import type { RunNeeds } from '../run-needs.ts';
import { findLineage, reuseAnswers } from './lineage.ts';
import type { LoadNotice } from './load.ts';
import { hashPlan, planRun } from './plan.ts';
import {
  checkResumable,
  findDifferences,
  hasNewCells,
  isAnotherEvaluation,
  reopenRun,
  type ResumedRun,
} from './resume.ts';

/** The plan of a run, claimed by this caller alone; disposing it lets others work on the run again. */
export interface Plan extends AsyncDisposable {
  readonly run: Run;
  /** True when there are earlier answers to continue from: of the run itself, or of a run over other cases. */
  readonly isResumed: boolean;
  /** The earlier runs that are claimed with it, since it continues them. */
  readonly claimed?: readonly string[];
}

interface Planning extends RunNeeds {
  /** Releases the runs that were claimed. */
  readonly claims: AsyncDisposableStack;
  /** The names of the runs that were claimed. */
  readonly claimed: string[];
}

/**
 * Prepares a new run, or one that continues an earlier run. When the cases have changed since, the continuation is a new
 * run with a plan of its own, which is made only once. Throws `run-not-resumable` for a run that cannot be continued, and
 * `run-in-progress` for a run that another process works on: two processes on one run, or on one lineage, would pay for
 * every answer twice.
 */
export async function prepareRun(evaluation: Evaluation, needs: RunNeeds, earlier?: Run): Promise<Plan> {
  const claims = new AsyncDisposableStack();
  try {
    const claimed: string[] = [];
    const planning = { ...needs, claims, claimed };
    const run =
      earlier === undefined
        ? await plan(evaluation, planning)
        : await continueRun(earlier, evaluation, planning);
    const release = async () => await claims.disposeAsync();
    return { run, isResumed: earlier !== undefined, claimed, [Symbol.asyncDispose]: release };
  } catch (error) {
    await claims.disposeAsync();
    throw error;
  }
}

/** Returns the earlier run itself or, when its cases have changed, a run that reuses its answers to the other cases. */
async function continueRun(earlier: Run, evaluation: Evaluation, needs: Planning): Promise<Run> {
  const { store, observer, signals } = needs;
  const { first } = await findLineage(earlier, store);
  for (const id of new Set([first.id, earlier.id])) await claimWithQuestions(id, needs);
  // A stream cannot be read again, so its cases count as unchanged.
  const { isReadOnce } = evaluation.dataset;
  const hash = isReadOnce === true ? earlier.dataset.hash : await hashPlan(evaluation, signals.stop);
  const hasChangedCases = hash !== earlier.dataset.hash;
  const isGrown = hasNewCells(earlier, evaluation);
  const isEdited = isGrown || isEditAllowed(earlier, evaluation, needs);
  if (!isEdited) checkResumable(earlier, evaluation, hasChangedCases);
  if (earlier.touchstoneVersion !== touchstoneVersion) {
    const versions = `Touchstone ${earlier.touchstoneVersion}, and this is ${touchstoneVersion}`;
    observer.onNotice?.({ message: `Run ${earlier.id} was begun by ${versions}.` });
  }
  if (evaluation.tools?.mayAct === true) await noticeTwice(earlier, evaluation.tools, needs);
  if (!hasChangedCases && !isEdited) return earlier;
  // Read again: another process may have continued the run before it was claimed.
  const { later } = await findLineage(earlier, store);
  const begun = later.find(
    (run) => run.dataset.hash === hash && findDifferences(run, evaluation).length === 0,
  );
  if (begun !== undefined) checkResumable(begun, evaluation, false);
  noticeReuse(earlier, { isGrown, isEdited }, observer);
  if (begun === undefined) return await plan(evaluation, needs, earlier);
  await claimWithQuestions(begun.id, needs);
  return begun;
}

function isEditAllowed(earlier: Run, evaluation: Evaluation, { allowsEdits, store }: Planning): boolean {
  return allowsEdits === true && isAnotherEvaluation(earlier, evaluation, store);
}

/** Says why a new run is made, and which answers it reuses; nothing where the user has edited the evaluation. */
function noticeReuse(
  { id }: Run,
  { isGrown, isEdited }: { readonly isGrown: boolean; readonly isEdited: boolean },
  { onNotice }: RunNeeds['observer'],
): void {
  if (isEdited && !isGrown) return;
  const what = isGrown ? 'The grid has new combinations' : 'The questions have changed';
  const reused = isGrown ? 'its answers' : 'its answers to the unchanged questions';
  onNotice?.({ message: `${what} since run ${id}: a new run reuses ${reused}.` });
}

/** Says that tools may act twice, where a process was killed: its run is stored as running. */
async function noticeTwice(
  { id, status, settings, targets }: Run,
  { isKeyed }: Pick<EvaluationTools, 'isKeyed'>,
  { store, observer }: Pick<RunNeeds, 'store' | 'observer'>,
): Promise<void> {
  if (status !== 'running' || (isKeyed && !(await usesFunctions(id, store)))) return;
  const most = settings.concurrency * targets.length;
  const message = `Up to ${most} attempts were in flight when the run was cut off. They are asked again, and their tools may act twice.`;
  observer.onNotice?.({ message });
}

/** Returns whether the first stored attempts of a run called functions of the bot, which get no key. */
async function usesFunctions(runId: string, store: RunNeeds['store']): Promise<boolean> {
  for await (const batch of store.readTrials(runId)) {
    const calls = batch.flatMap(({ trial }) => toolCallsOf(trial.transcript));
    return calls.some(
      ({ observed, from, server }) => observed === true && from === 'tool' && server === undefined,
    );
  }
  return false;
}

/** Claims a run and releases the questions that a process was asking when it died, so that no run waits for answers. */
async function claimWithQuestions(runId: string, { store, claims, claimed }: Planning): Promise<void> {
  claims.use(await store.claimRun(runId));
  claimed.push(runId);
  // Questions of its parts are released by the processes that wait for them.
  await store.releaseQuestions(runId, undefined, '');
}

async function plan(
  evaluation: Evaluation,
  { store, observer, claims, signals: { stop } }: Planning,
  earlier?: Run,
): Promise<Run> {
  const onNotice = (notice: LoadNotice) => observer.onNotice?.(notice);
  return await planRun(evaluation, store, { onNotice, continues: earlier?.id, claims, stop });
}

/** Resumes a planned run with the trials that exist already. A new run has none. */
export async function resumeRun(
  { run: { id }, isResumed, run }: Plan,
  evaluation: Evaluation,
  { store, observer }: RunNeeds,
): Promise<ResumedRun> {
  if (!isResumed) return { run, unscored: (async function* () {})() };
  // Read again: another process may have continued the run since it was looked up.
  const current = (await store.readRun(id)) as Run;
  await reuseAnswers(current, store);
  return await reopenRun(current, evaluation, {
    store,
    onKept: (trials: readonly ScoredTrial[]) => observer.onKept?.(trials),
    onJudged: (judgements: readonly Judgement[]) => observer.onJudged?.(judgements),
  });
}
