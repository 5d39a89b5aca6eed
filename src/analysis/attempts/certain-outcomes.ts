import type { Outcome } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import { certainAttempts, curtailingRule } from './attempt-rule.ts';

/**
 * Of the attempts of a run those that are made at every case whatever comes of them: how much these differ says how much
 * attempts differ. Of a run that is not curtailed, all.
 */
export async function* certainOutcomes(
  run: Pick<Run, 'caseRule' | 'attempts'>,
  outcomes: AsyncIterable<readonly Outcome[]>,
): AsyncGenerator<Outcome[]> {
  const isCertain = createCertainTest(run);
  for await (const some of outcomes) yield some.filter(isCertain);
}

/** Whether an attempt of a run is made at every case whatever comes of the others. */
export function createCertainTest(run: Pick<Run, 'caseRule' | 'attempts'>): (outcome: Outcome) => boolean {
  const rule = curtailingRule(run);
  if (rule === undefined) return () => true;
  const certain = certainAttempts(rule);
  return ({ trial }) => trial.ordinal % run.attempts < certain;
}
