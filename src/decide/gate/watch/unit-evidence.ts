import { createBettingMixture } from '../../../core/stats/stopping/betting-sequence.ts';

/** The cases of one unit: their number, and the sums of their values in the worst and in the best case. */
export interface UnitSums {
  readonly cases: number;
  readonly low: number;
  readonly high: number;
}

/** The size and number of units. */
export interface UnitScope {
  /** Cases in the largest unit. */
  readonly largest: number;
  /**
   * Number of units in the plan when the mean is about the plan; undefined when it is about all possible cases.
   */
  readonly population: number | undefined;
}

/** The distance below a threshold at which a mean still counts as reaching it. */
const tolerance = 1e-9;

/** Evidence on one side of a threshold, from units of several cases. */
export interface UnitEvidence {
  add(unit: UnitSums): void;
  evidence(): number;
}

/**
 * Creates evidence that the mean over cases reaches a threshold; missing values count at their worst. A unit counts
 * as the threshold plus the distance of its cases from it, divided by the size of the largest unit: such values are
 * in [0, 1], and their mean reaches the threshold exactly when the mean over cases does. Cases without a number
 * change nothing.
 */
export function createReachedEvidence(threshold: number, { largest, population }: UnitScope): UnitEvidence {
  const { add, evidence } = createBettingMixture({ mean: threshold - tolerance, population });
  return {
    add: ({ cases, low }) => add(within(threshold + (low - cases * threshold) / largest)),
    evidence,
  };
}

/** Creates evidence that the mean over cases misses a threshold; missing values count at their best. */
export function createMissedEvidence(threshold: number, { largest, population }: UnitScope): UnitEvidence {
  const { add, evidence } = createBettingMixture({ mean: 1 - threshold + tolerance, population });
  return {
    add: ({ cases, high }) => add(within(1 - threshold - (high - cases * threshold) / largest)),
    evidence,
  };
}

/**
 * Returns the range of thresholds that the evidence leaves open: the mean is shown to lie above every threshold below
 * the lower bound, and below every threshold above the upper one. The units are all units so far, in order.
 */
export function boundsOfUnits(
  units: readonly UnitSums[],
  scope: UnitScope,
  errors: { readonly lower: number; readonly upper: number },
): { readonly lower: number; readonly upper: number } {
  const sum = ({ add, evidence }: UnitEvidence) => {
    for (const unit of units) add(unit);
    return evidence();
  };
  return {
    lower: bisect((threshold) => sum(createReachedEvidence(threshold, scope)) >= 1 / errors.lower),
    upper: 1 - bisect((distance) => sum(createMissedEvidence(1 - distance, scope)) >= 1 / errors.upper),
  };
}

/** Finds the last place in [0, 1] up to which a monotone condition is true, by bisection. */
function bisect(holds: (place: number) => boolean): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 30; step += 1) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}

function within(value: number): number {
  return Math.min(1, Math.max(0, value));
}
