import type { QuestionAttempts } from '../../../core/stats/fixed-questions.ts';
import { differenceOf } from './differences.ts';

/** A pair as means count it: the number of its cluster when pairs share clusters, and its weight when weights differ. */
export interface InMean {
  readonly cluster: number | undefined;
  readonly weight: number | undefined;
}

/** The difference of a pair. */
export interface ListedPair extends InMean {
  readonly difference: number;
  /** The attempts in the older run and in the newer one. */
  readonly attempts: readonly [QuestionAttempts, QuestionAttempts];
  /** True when some attempt of either run was not measured: then the pair is among the lost ones, too. */
  readonly isPartial: boolean;
}

/** A pair that was asked in both runs, and of which some attempt was not measured. */
export interface LostPair extends InMean {
  /** The least and the greatest difference of shares, newer minus older, that it may have. */
  readonly least: number;
  readonly greatest: number;
  /** The runs that measured it: one, none, or both with fewer attempts than were asked. */
  readonly measuredIn: 'older' | 'newer' | 'neither' | 'both';
}

/** Creates the list of the pairs of the first measure. */
export function createPairList() {
  const headline = { pairs: [] as ListedPair[], lost: [] as LostPair[] };

  function list(before: Measured, after: Measured, inMean: InMean): void {
    const [hasOlder, hasNewer] = [!Number.isNaN(before.mean), !Number.isNaN(after.mean)];
    const isPartial = before.gap > 0 || after.gap > 0;
    if (hasOlder && hasNewer)
      headline.pairs.push({
        difference: differenceOf(before.mean, after.mean),
        attempts: [before.attempts, after.attempts],
        ...inMean,
        isPartial,
      });
    // A pair to which the measure applies in neither run was never to have a number.
    if (!isPartial && hasOlder === hasNewer) return;
    const [older, newer] = [rangeOf(before), rangeOf(after)];
    const measuredIn = hasOlder ? (hasNewer ? 'both' : 'older') : hasNewer ? 'newer' : 'neither';
    headline.lost.push({
      least: newer.least - older.greatest,
      greatest: newer.greatest - older.least,
      ...inMean,
      measuredIn,
    });
  }

  return { headline, list };
}

/** The mean of the measured attempts at a case, NaN without any, and the share of attempts that should have a number and have none. */
interface Measured {
  readonly mean: number;
  readonly gap: number;
  readonly attempts: QuestionAttempts;
}

/** Returns the least and the greatest share that a case may have. */
function rangeOf({ mean, gap }: Measured): { readonly least: number; readonly greatest: number } {
  if (Number.isNaN(mean)) return { least: 0, greatest: 1 };
  const least = (1 - gap) * mean;
  return { least, greatest: least + gap };
}
