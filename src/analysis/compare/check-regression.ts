import type { RegressionCheck, RunDifference } from '../../schema/run-comparison.ts';
import { boundedMeanBounds } from '../../stats/means/bounded-mean.ts';
import { nonInferiority } from '../../stats/paired/non-inferiority.ts';
import { trialsWithoutFailure } from '../../stats/planning/trials-without-failure.ts';
import { confidence } from '../summary/to-estimate.ts';
import type { ComparedValues } from './compare-values.ts';
import { leastPairs } from './test-differences.ts';

/** What a check for a regression rests on. */
export interface RegressionNeeds extends Pick<ComparedValues, 'headline'> {
  readonly row: RunDifference;
  readonly isForward: boolean;
  /** What nobody checked in one of the runs, where there is anything. */
  readonly unread?: string | undefined;
}

/**
 * Whether B is shown not to be worse than A by more than a margin on the measure that the verdict rests on: `pass` when the
 * one-sided lower bound of B minus A lies above −margin, `fail` when the upper one lies below it. Nothing passes that was
 * measured by another rule, or that what only one of the two was measured on could turn.
 */
export function checkRegression(needs: RegressionNeeds, margin: number): RegressionCheck {
  const { row, headline, unread } = needs;
  const { lower, upper, method, estimate } = boundDifference(needs, margin);
  const bounds = { margin, lower, upper, confidence, method };
  if (unread !== undefined) {
    return { ...bounds, decision: 'not-measured', reason: `one of the runs ${unread}` };
  }
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
  const decision = decide({ lower, upper, estimate: estimate ?? 0 }, margin);
  const worst = worstCase(lower ?? estimate ?? 0, row);
  if (decision === 'pass' && !(worst > -margin || (worst === 0 && margin === 0))) {
    const side = row.onlyB === 0 ? 'A only' : row.onlyA === 0 ? 'B only' : 'one of the two only';
    return { ...bounds, decision: 'not-measured', reason: `too many pairs are measured in ${side}` };
  }
  const needed = decision === 'inconclusive' ? findNeeded(needs, margin) : undefined;
  return { ...bounds, decision, ...(needed !== undefined && { needed }) };
}

/** One-sided bounds of B minus A: of shares, which lie in [−1, 1], by `boundedMeanBounds`, of quantities by Student's t. */
function boundDifference({ row, isForward, headline }: RegressionNeeds, margin: number) {
  const { clusters } = headline;
  // The candidate is B; a measure of which less is better is turned.
  const isTurned = isForward === (row.better === 'lower');
  const differences = headline.differences.map((difference) => (isTurned ? 0 - difference : difference));
  if (row.unit === undefined)
    return boundedMeanBounds({ values: differences, clusters, range: [-1, 1], confidence });
  return nonInferiority({ differences, ...(clusters !== undefined && { clusters }), margin, confidence });
}

interface BoundedDifference {
  /** null for quantities that all differ alike, which leaves open how others would. */
  readonly lower: number | null;
  readonly upper: number | null;
  readonly estimate: number;
}

function decide({ lower, upper, estimate }: BoundedDifference, margin: number): RegressionCheck['decision'] {
  if (lower === null || upper === null)
    return estimate <= -margin && estimate !== 0 ? 'fail' : 'inconclusive';
  if (lower > -margin) return 'pass';
  return upper < -margin ? 'fail' : 'inconclusive';
}

/** How many pairs it takes at least, where these are fewer; quantities with a unit have no greatest loss. */
function findNeeded({ row, headline }: RegressionNeeds, margin: number): number | undefined {
  if (row.unit !== undefined || margin <= 0 || margin >= 1) return undefined;
  const independent = new Set(headline.clusters ?? headline.differences.keys()).size;
  const needed = trialsWithoutFailure({ share: margin, confidence });
  return independent < needed ? needed : undefined;
}

/** The lower bound had B come out worst on every pair that only one of the two was measured on. */
function worstCase(lower: number, { difference: { n }, onlyA, onlyB, unit }: RunDifference): number {
  const unmeasured = onlyA + onlyB;
  if (unmeasured === 0) return lower;
  return unit === undefined ? (lower * n - unmeasured) / (n + unmeasured) : Number.NEGATIVE_INFINITY;
}
