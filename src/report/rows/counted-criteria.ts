import type { Criterion } from '../../schema/scorecard-result.ts';
import type { RunScorecard } from '../../schema/run.ts';

/** The criteria of a scorecard that decide something: by a weight, or because a trial needs them. */
export function countedCriteria(scorecard: RunScorecard | null): Criterion[] {
  const conditions = new Set((scorecard?.outcomes ?? []).flatMap(({ when }) => when ?? []));
  return (scorecard?.criteria ?? []).filter(
    ({ name, weight, required, caps }) =>
      weight > 0 || required || caps !== undefined || conditions.has(name),
  );
}

/** Whether a criterion, by its name, decides something. */
export function isCounted(scorecard: RunScorecard | null, name: string): boolean {
  return countedCriteria(scorecard).some((criterion) => criterion.name === name);
}
