import type { CaseNumber } from './case-numbers.ts';
import type { PairedCases } from './compare-values.ts';
import type { Supposition } from './hold-with-gaps.ts';
import type { BaselinePair } from './pair-with-baseline.ts';
import { clustersOf, type SelectedCases } from './select-cases.ts';

/** A pair with the number that the run has of it. */
export interface NumberedPair extends BaselinePair {
  readonly number: CaseNumber;
}

/** Which way is better, and on what scale. */
export interface PairScale {
  readonly isLowerBetter: boolean;
  readonly unit: string | undefined;
}

/** How many trials of the pairs are missing; of a pair that the baseline did not measure, all are. */
export function planGaps(pairs: readonly NumberedPair[]): Pick<SelectedCases, 'planned' | 'missing'> {
  let [planned, missing] = [0, 0];
  for (const { number, before } of pairs) {
    const all = number.measured + number.missing;
    planned += all;
    missing += Number.isNaN(before) ? all : number.missing;
  }
  return { planned, missing };
}

/**
 * The values of pairs, turned so that higher is better. At worst, the run did as badly as it could where it was not
 * measured and the baseline as well as it could; at best, the other way round.
 */
export function suppose(
  pairs: readonly NumberedPair[],
  supposition: Supposition,
  { isLowerBetter, unit }: PairScale,
): PairedCases {
  const isWorst = supposition === 'worst';
  const sign = isLowerBetter ? -1 : 1;
  const limit = unit === undefined ? 1 : Infinity;
  const unknownBefore = isWorst ? limit : unit === undefined ? 0 : -Infinity;
  const kept = pairs
    .map(({ each, before, number }) => {
      if (supposition === 'measured') return { each, now: sign * number.value, before: sign * before };
      const now = isWorst === isLowerBetter ? number.high : number.low;
      return { each, now: sign * now, before: Number.isNaN(before) ? unknownBefore : sign * before };
    })
    .filter(({ now, before }) => !Number.isNaN(now) && !Number.isNaN(before));
  return {
    now: kept.map(({ now }) => now),
    before: kept.map(({ before }) => before),
    clusters: clustersOf(kept.map(({ each }) => each)),
  };
}
