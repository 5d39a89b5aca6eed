import type { CaseNumbers } from '../rules/case-numbers.ts';
import { notMeasured } from '../rules/gate-rule.ts';
import { sayOfSubject, sayShare, sayThreshold, type Subject } from '../rules/phrases.ts';
import { numbersOf, type PlannedWatch, scopeOf, type WatchPlace } from './rule-watch.ts';
import { type CaseRange, watchMean } from './watch-mean.ts';

/** A mean of shares that is to reach, or not to pass, a threshold. */
export interface PlannedMean {
  readonly relation: 'at-least' | 'at-most';
  /** A share. */
  readonly threshold: number;
  readonly confidence: number | undefined;
  /** In a sentence. */
  readonly what: string;
}

/** Watches the mean of a subject. */
export function planMeanOf(
  subject: Subject,
  mean: Omit<PlannedMean, 'what'>,
  place: WatchPlace,
): PlannedWatch {
  const numbers = numbersOf(place, subject);
  if ('reason' in numbers) return planOpen(place, numbers.reason);
  return planMean({ ...mean, what: sayOfSubject(subject) }, numbers, place);
}

/** Watches a mean of numbers; turned round where lower is better. */
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
  const asked = sayThreshold(threshold, undefined);
  const telling = {
    toScale: turn,
    say: sayShare,
    held: `${what} is at ${isTurned ? 'most' : 'least'} ${asked}`,
    broken: `${what} is ${isTurned ? 'over' : 'under'} ${asked}`,
  };
  return {
    rule: place.rule,
    confidence,
    kind: 'statistical',
    begin: (rates) =>
      watchMean(
        { threshold: turn(threshold), ...scopeOf(place, confidence === undefined), rangeAt, telling },
        rates,
      ),
  };
}

/** A rule of which nothing is certain before the end: it keeps the run going, unless another rule fails. */
export function planOpen({ rule }: WatchPlace, reason: string): PlannedWatch {
  return {
    rule,
    kind: 'exact',
    begin: () => ({
      advance: () => {},
      standing: () => 'continue',
      finding: () => notMeasured(reason),
    }),
  };
}
