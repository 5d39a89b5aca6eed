import { untilAborted } from '../lib/until-aborted.ts';
import type { Outcome } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import type { PlanPart } from '../stores/store.ts';
import type { RunNeeds } from './run-needs.ts';

/** How much of a plan is scored here. With the numbers of all of it, which are made here, both sides are busy to the end. */
const shareHere = 2 / 5;

/** The part that is scored here ends at a multiple of this, as stores keep what stands side by side together. */
const roundTo = 1000;

/** What scores here, and whom to ask for help. */
export interface ScoringPlaces extends Pick<RunNeeds, 'store' | 'observer' | 'signals' | 'help'> {
  /** Scores and keeps a part of the plan in its order. */
  scoreHere(part?: PlanPart): AsyncIterable<readonly Outcome[]>;
}

/** Scores the stored trials of a run for another, a long plan with what help there is. Outcomes come in the order of the plan, some at a time. */
export async function* scoreWithHelp(
  { id: source, dataset, targets, attempts }: Run,
  runId: string,
  { store, observer, signals, help, scoreHere }: ScoringPlaces,
): AsyncGenerator<readonly Outcome[]> {
  const planned = dataset.cases * targets.length * attempts;
  if (help === undefined || planned < help.leastTrials) {
    yield* scoreHere();
    return;
  }
  let from = Math.ceil((planned * shareHere) / roundTo) * roundTo;
  await using underWay = help.begin({ source, runId, from });
  yield* scoreHere({ to: from });
  for await (const to of untilAborted(underWay, signals.stop)) {
    for await (const outcomes of store.readOutcomes(runId, { from, to })) {
      observer.onHelped?.(outcomes);
      yield outcomes;
    }
    from = to;
  }
}
