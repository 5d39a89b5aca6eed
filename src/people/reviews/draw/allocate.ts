import { normalQuantile } from '../../../core/stats/normal.ts';

/** The labels to divide among strata. */
export interface Allocation {
  readonly count: number;
  /** The number of answers in each stratum, which no allocation exceeds. */
  readonly sizes: readonly number[];
  /** The shares that the strata are to have: equal, their sizes, or their sizes times their spreads (Neyman). */
  readonly weights: readonly number[];
  /** The smallest number of labels of a stratum, where it has as many answers and `count` suffices for all. */
  readonly least: number;
}

/**
 * Divides labels among strata in proportion to weights, by largest remainders. A stratum that is too small leaves its share to
 * the others. The sum is `count`, or the number of all answers if that is smaller.
 *
 * Method: J. Neyman, Journal of the Royal Statistical Society 97 (1934), with W. G. Cochran's correction for strata that
 * the optimum would exceed (Sampling Techniques, 3rd ed., 1977, section 5.8).
 */
export function allocate({ count, sizes, weights, least }: Allocation): number[] {
  const total = Math.min(count, sum(sizes));
  const floors = sizes.map((size) => Math.min(size, least));
  const lows = sum(floors) <= total ? floors : sizes.map(() => 0);
  const parts = dividedWithin({ total, lows, highs: sizes, weights });
  return roundParts(parts, total, sizes);
}

/** Divides a total in proportion to weights, each part within its bounds. */
function dividedWithin({
  total,
  lows,
  highs,
  weights,
}: {
  readonly total: number;
  readonly lows: readonly number[];
  readonly highs: readonly number[];
  readonly weights: readonly number[];
}): number[] {
  const clamp = (value: number, index: number) =>
    Math.min(highs[index] ?? 0, Math.max(lows[index] ?? 0, value));
  // A stratum without weight gets labels only where the others have no room for them.
  const largest = Math.max(...weights);
  const scaled = weights.map((weight) => (largest === 0 ? 1 : Math.max(weight / largest, 1e-9)));
  // The parts grow with the factor; the one at which they add up to the total is found by bisection.
  let [below, above] = [0, 1];
  const partsAt = (factor: number) => scaled.map((weight, index) => clamp(weight * factor, index));
  while (sum(partsAt(above)) < total && Number.isFinite(above)) above *= 2;
  for (let step = 0; step < 200; step += 1) {
    const middle = (below + above) / 2;
    if (sum(partsAt(middle)) < total) below = middle;
    else above = middle;
  }
  return partsAt(above);
}

/** Rounds parts to whole numbers with the given sum: down, and then up where the remainder is largest. */
function roundParts(parts: readonly number[], total: number, sizes: readonly number[]): number[] {
  const rounded = parts.map((part) => Math.floor(part + 1e-9));
  const byRemainder = [...parts.keys()].toSorted(
    (one, other) =>
      (parts[other] ?? 0) - (rounded[other] ?? 0) - ((parts[one] ?? 0) - (rounded[one] ?? 0)) || one - other,
  );
  for (let left = total - sum(rounded); left > 0; ) {
    const before = left;
    for (const index of byRemainder) {
      if (left === 0 || (rounded[index] ?? 0) >= (sizes[index] ?? 0)) continue;
      rounded[index] = (rounded[index] ?? 0) + 1;
      left -= 1;
    }
    if (left === before) break;
  }
  return rounded;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** A stratum with the labels planned in it. */
export interface PlannedStratum {
  /** The number of answers, and of those to be labelled. */
  readonly size: number;
  readonly labels: number;
  /** The share of answers that people are expected to pass. */
  readonly share: number;
}

/**
 * Returns the half-width that the 95 % interval of the share passed by people is expected to have, for the answers of the
 * frame; null when a stratum has fewer than two labels. It is the normal approximation with the finite population
 * correction, for planning alone: W. G. Cochran, Sampling Techniques, 3rd ed. (1977), formula 5.12.
 */
export function expectedHalfWidth(strata: readonly PlannedStratum[]): number | null {
  const all = strata.reduce((sum, { size }) => sum + size, 0);
  let variance = 0;
  for (const { size, labels, share } of strata) {
    if (labels === size) continue;
    if (labels < 2) return null;
    variance += (size / all) ** 2 * ((share * (1 - share)) / labels) * (1 - labels / size);
  }
  return all === 0 ? null : normalQuantile(0.975) * Math.sqrt(variance);
}
