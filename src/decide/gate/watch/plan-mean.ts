import type { CaseNumbers } from '../case-numbers.ts';
import { notMeasured } from '../gate-rule.ts';
import { describeSubject, formatShare, formatThreshold, type Subject } from '../phrases.ts';
import { numbersOf, type PlannedWatch, scopeOf, type WatchPlace } from './rule-watch.ts';
import { type CaseRange, watchMean } from './watch-mean.ts';

/** A rule that a mean of shares is at least, or at most, a threshold. */
export interface PlannedMean {
  readonly relation: 'at-least' | 'at-most';
  /** The threshold as a share. */
  readonly threshold: number;
  readonly confidence: number | undefined;
  /** The subject of the mean, for a sentence. */
  readonly what: string;
}

/** Plans to watch the mean of a subject. */
export function planMeanOf(
  subject: Subject,
  mean: Omit<PlannedMean, 'what'>,
  place: WatchPlace,
): PlannedWatch {
  const numbers = numbersOf(place, subject);
  if ('reason' in numbers) return planOpen(place, numbers.reason);
  return planMean({ ...mean, what: describeSubject(subject) }, numbers, place);
}

/** Plans to watch a mean of numbers, mirrored when lower is better. */
export function planMean(mean: PlannedMean, numbers: CaseNumbers, place: WatchPlace): PlannedWatch {
  const { relation, threshold, confidence, what } = mean;
  const isTurned = relation === 'at-most';
  const turn = (share: number) => (isTurned ? 1 - share : share);
  const rangeAt = (position: number): CaseRange | undefined | 'unbounded' => {
    const number = numbers.at(position);
    if (number === undefined) return undefined;
    const isShare = numbers.unit() === undefined && number.low >= 0 && number.high <= 1;
    if (!isShare) return 'unbounded';
    return isTurned ? { low: 1 - number.high, high: 1 - number.low } : number;
  };
  const asked = formatThreshold(threshold, undefined);
  const wording = {
    toScale: turn,
    format: formatShare,
    passed: `${what} is at ${isTurned ? 'most' : 'least'} ${asked}`,
    failed: `${what} is ${isTurned ? 'over' : 'under'} ${asked}`,
  };
  return {
    rule: place.rule,
    confidence,
    kind: 'statistical',
    begin: (rates) =>
      watchMean(
        { threshold: turn(threshold), ...scopeOf(place, confidence === undefined), rangeAt, wording },
        rates,
      ),
  };
}

/** Plans a rule that is never certain before the end: it keeps the run going unless another rule fails. */
export function planOpen({ rule }: WatchPlace, reason: string): PlannedWatch {
  return {
    rule,
    kind: 'exact',
    begin: () => ({
      advance: () => {},
      status: () => 'continue',
      finding: () => notMeasured(reason),
    }),
  };
}
