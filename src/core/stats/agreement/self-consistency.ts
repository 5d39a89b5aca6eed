import { checkConfidence } from '../check-domain.ts';
import { type Interval, defaultConfidence } from '../interval.ts';
import { wilsonInterval } from '../proportion-interval.ts';
import { knownValue, unknownValue, type ValueOrReason } from '../value-or-reason.ts';
import type { Category } from './rating-table.ts';

/** Repeated verdicts of one judge on the same input. */
export type SelfConsistency = {
  /** The number of items with at least two verdicts. */
  readonly n: number;
  /** The number of items with fewer, which are ignored. */
  readonly leftOut: number;
  /** Share of items whose verdicts are not all the same. It grows with the number of repeats. */
  readonly flipRate: Interval;
  /** Chance that two verdicts on one item differ, averaged over items: independent of the number of repeats. */
  readonly disagreement: ValueOrReason;
};

/**
 * Measures how often a judge, asked again about the same input, changes its verdict. Null is a verdict that is missing.
 *
 * Method: pairwise disagreement 1 − Σ c_k (c_k − 1) / (m (m − 1)) of the m verdicts on an item; Wilson's interval for the
 * share of items with a flip.
 *
 * @throws RangeError unless the confidence is strictly between 0 and 1.
 */
export function selfConsistency(options: {
  /** One row for each item, with its repeated verdicts. */
  readonly verdicts: readonly (readonly (Category | null)[])[];
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
}): SelfConsistency {
  const { confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  const items = options.verdicts
    .map((row) => row.filter((verdict) => verdict !== null))
    .filter((row) => row.length >= 2);
  const n = items.length;
  const flips = items.filter((row) => new Set(row).size > 1).length;
  const differing = items.reduce((sum, row) => sum + disagreementOf(row), 0);
  return {
    n,
    leftOut: options.verdicts.length - n,
    flipRate: wilsonInterval({ successes: flips, trials: n, confidence }),
    disagreement: n === 0 ? unknownValue('no item has two verdicts', n) : knownValue(differing / n, n),
  };
}

function disagreementOf(row: readonly Category[]): number {
  const m = row.length;
  const counts = [...Map.groupBy(row, (verdict) => verdict).values()].map(({ length }) => length);
  return 1 - counts.reduce((sum, count) => sum + count * (count - 1), 0) / (m * (m - 1));
}
