import type { RegressionCheck } from '../../../core/schema/decision.ts';
import type { RunDifference } from '../../../core/schema/run-comparison.ts';
import { boundedMeanBounds } from '../../../core/stats/means/bounded-mean.ts';
import { nonInferiority } from '../../../core/stats/paired/equivalence.ts';
import { trialsWithoutFailure } from '../../../core/stats/planning/sample-size.ts';
import { confidence } from '../summary/estimates.ts';
import type { ComparedValues } from './compare-values.ts';
import type { LostPair } from './list-pairs.ts';
import { leastPairs } from './differences.ts';

/** The inputs of a regression check. */
export interface RegressionNeeds extends Pick<ComparedValues, 'headline'> {
  readonly row: RunDifference;
  readonly isForward: boolean;
  /** The description of unread expectations in one of the runs, if there are any. */
  readonly unread?: string;
}

/**
 * Checks that B is not worse than A by more than a margin on the measure of the verdict: `pass` when the one-sided
 * lower bound of B minus A lies above −margin, `fail` when the upper one lies below it. The sample is what both runs asked: what was
 * not measured, in one of them or in both, is put in at its worst and at its best, as gates do; if the two disagree, nothing
 * was measured. It never passes when the two runs were scored by different rules.
 */
export function checkRegression(needs: RegressionNeeds, margin: number): RegressionCheck {
  const { row, headline, unread } = needs;
  const measured = evaluate(needs, margin, 'measured');
  const notMeasured = (reason: string): RegressionCheck => ({
    ...measured,
    decision: 'not-measured',
    reason,
  });
  if (unread !== undefined) return notMeasured(`one of the runs ${unread}`);
  if (row.isRuleChanged) return notMeasured('the two runs were scored by other rules');
  if (headline.pairs.length < leastPairs)
    return notMeasured(`fewer than ${leastPairs} pairs are measured in both`);
  if (headline.lost.length === 0) return withNeeded(measured, needs);
  const [worst, best] = [evaluate(needs, margin, 'worst'), evaluate(needs, margin, 'best')];
  if (worst.decision === best.decision) return withNeeded(worst, needs);
  return notMeasured(
    `${describeLost(needs)}: it could be anything from ${worst.decision} to ${best.decision}`,
  );
}

function describeLost({ row: { pairs }, headline: { lost }, isForward }: RegressionNeeds): string {
  const [a, b] = isForward ? (['older', 'newer'] as const) : (['newer', 'older'] as const);
  const countOf = (where: LostPair['measuredIn']) =>
    lost.filter(({ measuredIn }) => measuredIn === where).length;
  const parts = [
    [countOf(a), 'in A only'],
    [countOf(b), 'in B only'],
    [countOf('neither'), 'in neither'],
    [countOf('both'), 'in both without some attempts'],
  ] as const;
  const named = parts.filter(([count]) => count > 0);
  const [[count, where] = [0, '']] = named;
  if (named.length === 1) return `${count} of ${pairs} pairs are measured ${where}`;
  const listed = named.map(([each, place]) => `${each} ${place}`).join(', ');
  return `${lost.length} of ${pairs} pairs are not measured whole (${listed})`;
}

/** The value of what was not measured: ignored, or the worst or the best for B. */
type Scenario = 'measured' | 'worst' | 'best';

function evaluate(needs: RegressionNeeds, margin: number, scenario: Scenario): RegressionCheck {
  const { lower, upper, method, estimate } = boundDifference(needs, margin, scenario);
  const decision = decide({ lower, upper, estimate: estimate ?? 0 }, margin);
  return { margin, decision, lower, upper, confidence, method };
}

/**
 * Computes one-sided bounds of B minus A: for shares, which lie in [−1, 1], by `boundedMeanBounds`; for quantities by
 * Student's t, without bounds where one of a pair is unknown.
 */
function boundDifference({ row, isForward, headline }: RegressionNeeds, margin: number, scenario: Scenario) {
  const { unit, better } = row;
  const lost = scenario === 'measured' ? [] : headline.lost;
  if (unit !== undefined && lost.length > 0) {
    return scenario === 'worst'
      ? { lower: -Infinity, upper: -Infinity, estimate: -Infinity, method: 't' }
      : { lower: Infinity, upper: Infinity, estimate: Infinity, method: 't' };
  }
  // The candidate is B; a measure that is better when lower is mirrored.
  const isTurned = isForward === (better === 'lower');
  const isHigh = (scenario === 'best') !== isTurned;
  const pairs = [
    ...headline.pairs.filter(({ isPartial }) => !isPartial || scenario === 'measured'),
    ...lost.map(({ least, greatest, cluster, weight }) => ({
      difference: isHigh ? greatest : least,
      cluster,
      weight,
    })),
  ];
  const differences = pairs.map(({ difference }) => (isTurned ? 0 - difference : difference));
  const known = pairs.flatMap(({ cluster }) => (cluster === undefined ? [] : [cluster]));
  const clusters = known.length === pairs.length ? known : undefined;
  const weighed = pairs.flatMap(({ weight }) => (weight === undefined ? [] : [weight]));
  const weights = weighed.length === pairs.length ? weighed : undefined;
  if (unit === undefined)
    return boundedMeanBounds({ values: differences, clusters, weights, range: [-1, 1], confidence });
  return nonInferiority({
    differences,
    clusters,
    weights,
    margin,
    confidence,
  });
}

interface BoundedDifference {
  /** The bounds; null for quantities whose differences are all equal, which say nothing about other cases. */
  readonly lower: number | null;
  readonly upper: number | null;
  readonly estimate: number;
}

function decide(
  { lower, upper, estimate }: BoundedDifference,
  margin: number,
): 'pass' | 'fail' | 'inconclusive' {
  if (lower === null || upper === null)
    return estimate <= -margin && estimate !== 0 ? 'fail' : 'inconclusive';
  if (lower > -margin) return 'pass';
  return upper < -margin ? 'fail' : 'inconclusive';
}

function withNeeded(check: RegressionCheck, needs: RegressionNeeds): RegressionCheck {
  const needed = check.decision === 'inconclusive' ? findNeeded(needs, check.margin) : undefined;
  return needed === undefined ? check : { ...check, needed };
}

/**
 * Returns the least number of pairs needed, if there are fewer; undefined for quantities with a unit, whose loss has
 * no upper limit.
 */
function findNeeded({ row, headline }: RegressionNeeds, margin: number): number | undefined {
  if (row.unit !== undefined || margin <= 0 || margin >= 1) return undefined;
  const independent = new Set(headline.pairs.map(({ cluster }, place) => cluster ?? `pair ${place}`)).size;
  const needed = trialsWithoutFailure({ share: margin, confidence });
  return independent < needed ? needed : undefined;
}
