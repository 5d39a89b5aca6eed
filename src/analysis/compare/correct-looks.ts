import type { PairComparison, RunComparison, RunDifference } from '../../schema/run-comparison.ts';
import { holm } from '../../stats/multiplicity/adjust-p-values.ts';
import { confidence } from '../summary/to-estimate.ts';

/**
 * Corrects the p-values of a comparison for the number of looks, by Holm's method, and says what each row finds. The rows that
 * verdicts rest on were chosen before looking: they are corrected among themselves, all others together.
 */
export function correctLooks(
  comparisons: readonly PairComparison[],
): Pick<RunComparison, 'comparisons' | 'corrected'> {
  const heads = comparisons.flatMap(({ differences }) => differences.slice(0, 1));
  const others = comparisons.flatMap(({ differences }) => differences.slice(1));
  const corrected = new Map([...correct(heads), ...correct(others)]);
  return {
    comparisons: comparisons.map((comparison) => {
      const differences = comparison.differences.map((row) => corrected.get(row) ?? row);
      return { ...comparison, differences, verdict: verdictOf(comparison.verdict, differences[0]) };
    }),
    corrected: { method: 'holm', verdicts: countTests(heads), others: countTests(others) },
  };
}

function countTests(rows: readonly RunDifference[]): number {
  return rows.filter(({ pValue }) => pValue !== null).length;
}

function correct(rows: readonly RunDifference[]): Map<RunDifference, RunDifference> {
  const tested = rows.filter(({ pValue }) => pValue !== null);
  const { adjusted } = holm({ pValues: tested.map(({ pValue }) => pValue ?? 1) });
  const found = new Map(tested.map((row, place) => [row, adjusted[place] ?? null]));
  return new Map(
    rows.map((row) => {
      const adjustedPValue = found.get(row) ?? null;
      return [row, { ...row, adjustedPValue, finding: findingOf(row, adjustedPValue) }];
    }),
  );
}

/** A category of which even a large difference would not be visible is not said to show none. */
function findingOf(
  { better, difference, measure }: RunDifference,
  adjustedPValue: number | null,
): RunDifference['finding'] {
  if (adjustedPValue === null || difference.value === null) return 'too-few';
  if (adjustedPValue >= 1 - confidence || difference.value === 0) {
    return measure === 'category' && difference.tooFew === true ? 'too-few' : 'not-visible';
  }
  if (better === null) return 'different';
  return difference.value > 0 === (better === 'higher') ? 'better' : 'worse';
}

function verdictOf(
  verdict: PairComparison['verdict'],
  head: RunDifference | undefined,
): PairComparison['verdict'] {
  if (head === undefined || head.finding === 'too-few') return { ...verdict, outcome: 'not-enough-data' };
  const { finding } = head;
  if (finding !== 'better' && finding !== 'worse') return { ...verdict, outcome: 'no-visible-difference' };
  return { ...verdict, outcome: finding, isCertain: holdsWithMissing(head) };
}

/** Whether a finding would stand had every pair that was not measured come out against it in full. */
function holdsWithMissing({ difference, pairs, unit }: RunDifference): boolean {
  const missing = pairs - difference.n;
  if (missing === 0) return true;
  if (unit !== undefined || difference.lower === null || difference.upper === null) return false;
  const nearest = Math.max(difference.lower, -difference.upper);
  return nearest * difference.n - missing > 0;
}
