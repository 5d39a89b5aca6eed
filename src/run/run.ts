import type { Run } from '../schema/run.ts';
import { callTargets } from './call.ts';
import type { Evaluation } from './evaluation.ts';
import { findSelfJudging } from './find-self-judging.ts';
import { findPlan, takeUp } from './find-plan.ts';
import { createJudgementKeeper } from './judgement-keeper.ts';
import { withPartnersOpen } from './partners.ts';
import { createRecorder } from './record.ts';
import type { TakenUp } from './resume.ts';
import type { RunNeeds } from './run-needs.ts';
import { score } from './score.ts';
import { finishRun } from './summarize.ts';

/**
 * Runs an evaluation: load → plan → call → record → score → aggregate → decide. With `resume`, goes on with a run that
 * was interrupted, or whose dataset has changed since. Returns the run as it is kept, with its summary.
 * Throws `TouchstoneError` for what is wrong before the first call; then no new run is left behind.
 */
export async function run(evaluation: Evaluation, needs: RunNeeds, resume?: Run): Promise<Run> {
  const { store, observer } = needs;
  for (const message of [...(evaluation.notices ?? []), ...findSelfJudging(evaluation)]) {
    observer.onNotice?.({ message });
  }
  return await withPartnersOpen(evaluation, async () => {
    const plan = await findPlan(evaluation, needs, resume);
    // Two processes at work on one run would pay for every answer twice.
    const giveBack = await store.claimRun(plan.run.id);
    try {
      const begun = await takeUp(plan, evaluation, needs);
      observer.onPlanned?.(begun.run);
      await workThrough(begun, evaluation, needs);
      return await finishRun(begun.run, store);
    } finally {
      giveBack();
    }
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
  const record = createRecorder(run.id, store);
  const trials = inTurn(
    unscored,
    callTargets(run, evaluation, { ...needs, record, onCalling: (change) => observer.onCalling?.(change) }),
  );
  for await (const scored of score(trials, evaluation, { ...needs, judgements })) {
    await store.addScores(run.id, scored);
    observer.onScored?.(scored);
  }
}

/** One after the other, without reading ahead: what is scored too slowly is to hold up the calls. */
async function* inTurn<Item>(...sources: readonly AsyncIterable<Item>[]): AsyncGenerator<Item> {
  for (const source of sources) yield* source;
}
