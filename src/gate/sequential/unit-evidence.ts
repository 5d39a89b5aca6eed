import { createBettingMixture } from '../../stats/stopping/betting-sequence.ts';

/** What cases of one unit say together: their number, and the sum of their values at worst and at best. */
export interface UnitSums {
  readonly cases: number;
  readonly low: number;
  readonly high: number;
}

/** Of what units are units. */
export interface UnitScope {
  /** Cases in the largest unit. */
  readonly largest: number;
  /** Units in the plan, where the mean is that of the plan; undefined where it is that of all cases there could be. */
  readonly population: number | undefined;
}

/** A mean counts as reached this close below. */
const tolerance = 1e-9;

/** Evidence on one side of a threshold, from units of several cases. */
export interface UnitEvidence {
  add(unit: UnitSums): void;
  evidence(): number;
}

/**
 * Evidence that the mean over cases reaches a threshold; what is missing counts as badly as it could. A unit counts as the
 * threshold plus what its cases lie above or below it, over the size of the largest unit: such values are in [0, 1], and
 * their mean reaches the threshold just when the mean over cases does. Cases without a number change nothing.
 */
export function createReachedEvidence(threshold: number, { largest, population }: UnitScope): UnitEvidence {
  const { add, evidence } = createBettingMixture({ mean: threshold - tolerance, population });
  return {
    add: ({ cases, low }) => add(within(threshold + (low - cases * threshold) / largest)),
    evidence,
  };
}

/** Evidence that the mean over cases misses a threshold; what is missing counts as well as it could. */
export function createMissedEvidence(threshold: number, { largest, population }: UnitScope): UnitEvidence {
  const { add, evidence } = createBettingMixture({ mean: 1 - threshold + tolerance, population });
  return {
    add: ({ cases, high }) => add(within(1 - threshold - (high - cases * threshold) / largest)),
    evidence,
  };
}

/**
 * The thresholds that the evidence leaves open: below the lower bound the mean is shown to lie above them, above the upper
 * one, below. Given all units so far, in their order.
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

/** The last place from 0 on at which something holds that holds up to there. */
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
