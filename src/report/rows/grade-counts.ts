import type { Run } from '../../schema/run.ts';
import type { Grade } from '../../schema/scorecard-result.ts';
import type { TargetSummary } from '../../schema/summary.ts';
import { formatPercent } from '../format/format-number.ts';

/** Totals are compared with this tolerance, as by the scorecards. */
const tolerance = 1e-9;

/** One grade of a scorecard: how many answers got it, and what it means in words. */
export interface GradeCount {
  readonly grade: string;
  readonly count: number;
  readonly meaning: string;
}

/** How many answers of a target got each grade, best grade first; grades that nobody got are there with 0. */
export function gradeCounts(run: Run, target: TargetSummary): GradeCount[] {
  const known = gradesOf(run);
  const grades = new Set([...known.map(({ grade }) => grade), ...Object.keys(target.grades)]);
  return [...grades].map((grade) => ({
    grade,
    count: target.grades[grade] ?? 0,
    meaning: known.find((one) => one.grade === grade)?.meaning ?? '',
  }));
}

/** What the score of a target means by the grades of its scorecard, and what to do; undefined where nothing is said of it. */
export function standingOf(run: Run, { score: { value } }: Pick<TargetSummary, 'score'>): string | undefined {
  if (value === null) return undefined;
  const reached = gradesOf(run).find(({ from }) => value >= from - tolerance);
  if (reached === undefined || reached.meaning === '') return undefined;
  const action = reached.action === undefined ? '' : `: ${reached.action}`;
  return `${formatPercent(value)} on average is ${reached.grade}, ${reached.meaning}${action}`;
}

function gradesOf(run: Run): Grade[] {
  return (run.scorecard?.grades ?? []).toSorted((a, b) => b.from - a.from);
}
