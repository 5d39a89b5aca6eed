import type { Run } from '../schema/run.ts';
import type { TargetSummary } from '../schema/summary.ts';

/** How many answers of a target got each grade, best grade first; grades that nobody got are there with 0. */
export function gradeCounts(run: Run, target: TargetSummary): { grade: string; count: number }[] {
  const known = (run.scorecard?.grades ?? []).toSorted((a, b) => b.from - a.from).map(({ grade }) => grade);
  const grades = new Set([...known, ...Object.keys(target.grades)]);
  return [...grades].map((grade) => ({ grade, count: target.grades[grade] ?? 0 }));
}
