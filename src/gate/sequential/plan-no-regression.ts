import type { GateRule } from '../../schema/gate-rule.ts';
import { findIncomparable } from '../rules/comparable.ts';
import { findBaselineTarget, pairWithBaseline } from '../rules/pair-with-baseline.ts';
import { sayDifference } from '../rules/say-number.ts';
import { sayOfSubject, subjectOf } from '../rules/subject.ts';
import { planOpen } from './plan-open.ts';
import type { PlannedWatch } from './rule-watch.ts';
import { numbersOf, scopeOf, type WatchPlace } from './watch-context.ts';
import { watchMean } from './watch-mean.ts';
import type { CaseRange } from './watched-mean.ts';

type NoRegressionRule = Extract<GateRule, { type: 'no-regression' }>;

/**
 * Watches the differences to the baseline, case by case: now minus before, d, counts as (d + 1) / 2. What cannot be
 * compared, or paired as a whole, is left to the end, which says why.
 */
export function planNoRegression(rule: NoRegressionRule, place: WatchPlace): PlannedWatch {
  const { baseline: found, run, marks, target } = place;
  if ('reason' in found) return planOpen(place, found.reason);
  const { baseline } = found;
  const subject = subjectOf(rule) ?? { measure: 'score' };
  const numbers = numbersOf(place, subject);
  if ('reason' in numbers) return planOpen(place, numbers.reason);
  const difference = findIncomparable(baseline, run, subject);
  const before = findBaselineTarget(baseline, run, target);
  if (difference !== undefined || before === undefined) {
    return planOpen(
      place,
      `${difference ?? `no target ${target}`}: it cannot be held against ${baseline.name}`,
    );
  }
  const cases = { run, cases: place.cases, planned: marks.planned, category: place.rule.category };
  const { pairs, lost } = pairWithBaseline(before, subject, cases);
  if (lost.length > 0) return planOpen(place, `${baseline.name} has cases that this run lacks`);
  const earlier = new Map(pairs.map(({ each, before: value }) => [each.position, value]));
  const rangeAt = (position: number): CaseRange | undefined | 'unbounded' => {
    const number = numbers.at(position);
    const value = earlier.get(position);
    if (number === undefined || value === undefined) return undefined;
    if (numbers.unit() !== undefined) return 'unbounded';
    const [most, least] = Number.isNaN(value) ? [1, 0] : [value, value];
    return { low: (number.low - most + 1) / 2, high: (number.high - least + 1) / 2 };
  };
  const margin = rule.margin / 100;
  const limit = sayDifference(margin, undefined).replace('+', '');
  const what = sayOfSubject(subject);
  const telling = {
    toScale: (mean: number) => 2 * mean - 1,
    say: (value: number) => sayDifference(value, undefined),
    held: `${what} is not worse than ${baseline.name} by ${limit} or more`,
    broken: `${what} is worse than ${baseline.name} by more than ${limit}`,
  };
  const threshold = Math.max(0, (1 - margin) / 2);
  return {
    rule: place.rule,
    confidence: rule.confidence,
    kind: 'statistical',
    begin: (rates) => watchMean({ threshold, ...scopeOf(place, false), rangeAt, telling }, rates),
  };
}
