import type { RegressionCheck, RunDifference } from '../../schema/run-comparison.ts';
import { nonInferiority } from '../../stats/paired/non-inferiority.ts';
import { confidence } from '../to-estimate.ts';
import type { ComparedValues } from './compare-values.ts';
import { leastPairs } from './test-differences.ts';

/** What a check for a regression rests on. */
export interface RegressionNeeds extends Pick<ComparedValues, 'headline' | 'measured'> {
  readonly row: RunDifference;
  readonly isForward: boolean;
}

/**
 * Whether B is shown not to be worse than A by more than a margin on the measure that the verdict rests on: `pass` when the
 * one-sided lower bound of B minus A lies above −margin, `fail` when the upper one lies below it. Nothing passes that was
 * measured by another rule, or that what only one of the two was measured on could turn.
 */
export function checkRegression(needs: RegressionNeeds, margin: number): RegressionCheck {
  const { row, headline } = needs;
  const checked = testMargin(needs, margin);
  const { lower, upper, method, estimate } = checked;
  const bounds = { margin, lower, upper, confidence, method };
  if (row.isRuleChanged) {
    return { ...bounds, decision: 'not-measured', reason: 'the two runs were scored by other rules' };
  }
  const n = headline.differences.length;
  if (n < leastPairs) {
    return {
      ...bounds,
      decision: 'not-measured',
      reason: `fewer than ${leastPairs} pairs are measured in both`,
    };
  }
  const independent = new Set(headline.clusters ?? headline.differences.keys()).size;
  const decision = checked.verdict ?? alikeDecision({ estimate: estimate ?? 0, independent, row }, margin);
  const worst = worstCase(lower ?? estimate ?? 0, row);
  if (decision === 'pass' && !(worst > -margin || (worst === 0 && margin === 0))) {
    const side = row.onlyB === 0 ? 'A only' : row.onlyA === 0 ? 'B only' : 'one of the two only';
    return { ...bounds, decision: 'not-measured', reason: `too many pairs are measured in ${side}` };
  }
  return { ...bounds, decision };
}

function testMargin({ row, isForward, headline, measured }: RegressionNeeds, margin: number) {
  const { clusters } = headline;
  const counts = clusters === undefined ? measured[0]?.counts : undefined;
  // The candidate is B; a measure of which less is better is turned.
  const isTurned = isForward === (row.better === 'lower');
  if (counts !== undefined) {
    const turned = isTurned ? { ...counts, aOnly: counts.bOnly, bOnly: counts.aOnly } : counts;
    return nonInferiority({ counts: turned, margin, confidence });
  }
  const differences = headline.differences.map((difference) => (isTurned ? 0 - difference : difference));
  return nonInferiority({ differences, ...(clusters === undefined ? {} : { clusters }), margin, confidence });
}

interface AlikeDifferences {
  readonly estimate: number;
  /** Pairs, or clusters of them. */
  readonly independent: number;
  readonly row: RunDifference;
}

/**
 * Differences that are all the same have no spread to make bounds of. A share p of pairs that lose everything stays
 * unseen among n independent ones with the chance (1 − p)^n: so the loss is at most 1 − (1 − confidence)^(1/n) at the
 * confidence, which passes a margin of 5 points from 59 on. A quantity with a unit has no greatest loss.
 */
function alikeDecision(
  { estimate, independent, row }: AlikeDifferences,
  margin: number,
): RegressionCheck['decision'] {
  if (estimate <= -margin && estimate !== 0) return 'fail';
  const unseen =
    row.unit === undefined ? 1 - (1 - confidence) ** (1 / independent) : Number.POSITIVE_INFINITY;
  return estimate - unseen > -margin ? 'pass' : 'inconclusive';
}

/** The lower bound had B come out worst on every pair that only one of the two was measured on. */
function worstCase(lower: number, { difference: { n }, onlyA, onlyB, unit }: RunDifference): number {
  const unmeasured = onlyA + onlyB;
  if (unmeasured === 0) return lower;
  return unit === undefined ? (lower * n - unmeasured) / (n + unmeasured) : Number.NEGATIVE_INFINITY;
}
