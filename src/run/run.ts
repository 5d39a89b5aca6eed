import type { Run } from '../schema/run.ts';
import type { CasedTrial, ScoredTrial } from '../schema/result.ts';
import { callTargets } from './call/call.ts';
import { createCurtailment } from './limits/curtailment.ts';
import type { Evaluation, LiveScorecard } from './evaluation.ts';
import { warnOfSelfJudging } from './prepare/begin-run.ts';
import { prepareRun, resumeRun } from './prepare/prepare-run.ts';
import { createJudgementCache } from './scoring/judgement-cache.ts';
import { withDatasetProblems } from './prepare/load.ts';
import { withParticipantsOpen } from './participants.ts';
import { createRecorder } from './record/record.ts';
import type { ResumedRun } from './prepare/resume.ts';
import { createRunControl, type RunControl } from './limits/run-control.ts';
import type { RunNeeds, RunObserver } from './run-needs.ts';
import { score } from './scoring/score.ts';
import { createScoreRecorder } from './scoring/score-recorder.ts';
import { stopWhenDecided } from './limits/stop-when-decided.ts';
import { noticeExpectations } from '../gate/unread-expectations.ts';
import { finishRun } from './summarize.ts';

/**
 * Runs an evaluation: load → plan → call → record → score → aggregate → decide. With `resume`, goes on with a run that
 * was interrupted, or whose dataset has changed since. Returns the run as it is kept, with its summary.
 * Throws `TouchstoneError` for what is wrong before the first call; then no new run is left behind.
 */
export async function run(evaluation: Evaluation, needs: RunNeeds, resume?: Run): Promise<Run> {
  const { store, observer } = needs;
  for (const message of [...(evaluation.notices ?? []), ...warnOfSelfJudging(evaluation)]) {
    observer.onNotice?.({ message });
  }
  let isOpen = false;
  const work = async () => {
    isOpen = true;
    const plan = await prepareRun(evaluation, needs, resume);
    const control = createRunControl(evaluation.settings, {
      signals: needs.signals,
      onStopped: (stop) => observer.onStopped?.(stop),
      areJudged: evaluation.metrics.some(({ metric }) => metric.concurrency !== undefined),
      readAccounts: evaluation.watchAccounts?.() ?? (() => []),
    });
    try {
      const begun = await resumeRun(plan, evaluation, { ...needs, observer: countKept(observer, control) });
      for (const message of noticeExpectations(begun.run)) observer.onNotice?.({ message });
      observer.onPlanned?.(begun.run);
      await workThrough(begun, evaluation, { ...needs, control });
      return await finishRun(control.finish(begun.run), store);
    } finally {
      control.release();
      await plan.release();
    }
  };
  return await withParticipantsOpen(evaluation, work).catch(async (error: unknown) => {
    throw isOpen ? error : await withDatasetProblems(error, evaluation.dataset);
  });
}

/** call → record → score, for all that is not done yet. */
async function workThrough(
  { run, unscored }: ResumedRun,
  evaluation: Evaluation,
  needs: RunNeeds & { readonly control: RunControl },
): Promise<void> {
  const { store, observer, control } = needs;
  const { budget, signals } = control;
  const judgements = createJudgementCache(run.id, {
    store,
    reuses: evaluation.reusesJudgements,
    onNotice: (notice) => observer.onNotice?.(notice),
    onKept: (kept) => {
      budget.addJudgements(kept);
      observer.onJudged?.(kept);
    },
  });
  const onNotNeeded = (count: number) => observer.onNotNeeded?.(count);
  const curtailment = createCurtailment(run, { store, onNotNeeded });
  const addTrials = control.guard((runId: string, added: readonly CasedTrial[]) =>
    store.addTrials(runId, added),
  );
  const record = createRecorder(run.id, { addTrials });
  const onCalling = (change: 1 | -1, recorded?: CasedTrial) => {
    if (recorded !== undefined) observer.onRecorded?.(recorded.trial);
    observer.onCalling?.(change);
  };
  const look = await stopWhenDecided(run, store, control);
  const trials = inTurn(
    countUnscored(unscored, needs),
    callTargets(run, evaluation, { ...needs, record, curtailment, onCalling }),
  );
  const keeper = createScoreRecorder(run.id, store);
  const onScored = control.guard(async (scored: ScoredTrial[]) => {
    budget.addScored(scored.length);
    look(scored);
    curtailment.tell(scored);
    observer.onScored?.(scored);
    await keeper.add(scored);
  });
  const rules = { ...evaluation, scorecard: guardCard(evaluation.scorecard, control) };
  for await (const scored of score(trials, rules, { ...needs, signals, judgements })) await onScored(scored);
  await keeper.finish();
}

/** The same scorecard; where it fails, the run ends. */
function guardCard(scorecard: LiveScorecard | null, { guard }: RunControl): LiveScorecard | null {
  return scorecard && { ...scorecard, evaluate: guard((verdicts) => scorecard.evaluate(verdicts)) };
}

/** What was spent in an earlier part of a run is spent. */
function countKept(observer: RunObserver, { budget }: RunControl): RunObserver {
  return {
    onNotice: (notice) => observer.onNotice?.(notice),
    onKept: (trials) => {
      for (const { trial } of trials) budget.addKept(trial, true);
      observer.onKept?.(trials);
    },
    onJudged: (judgements) => {
      budget.addJudgements(judgements);
      observer.onJudged?.(judgements);
    },
  };
}

/** Trials that were recorded in an earlier part of a run, and have yet to be scored. */
async function* countUnscored(
  trials: AsyncIterable<CasedTrial[]>,
  { control, observer }: { readonly control: RunControl; readonly observer: RunObserver },
): AsyncGenerator<CasedTrial[]> {
  for await (const batch of trials) {
    for (const { trial } of batch) {
      control.budget.addKept(trial, false);
      observer.onRecorded?.(trial);
    }
    yield batch;
  }
}

/** One after the other, without reading ahead: what is scored too slowly is to hold up the calls. */
async function* inTurn<Item>(...sources: readonly AsyncIterable<Item>[]): AsyncGenerator<Item> {
  for (const source of sources) yield* source;
}
