import type { RuleOf } from './rule-kind.ts';
import { describeSubject, formatDifference, subjectOf } from '../phrases.ts';
import { planOpen } from '../watch/plan-mean.ts';
import { numbersOf, type PlannedWatch, scopeOf, type WatchPlace } from '../watch/rule-watch.ts';
import { type CaseRange, watchMean } from '../watch/watch-mean.ts';
import { isOnThese } from './on-these-questions.ts';
import { findBaselineTarget, findIncomparable, pairWithBaseline } from './pair-with-baseline.ts';

/**
 * Plans to watch the differences from the baseline, case by case: now minus before, d, counts as (d + 1) / 2. A
 * comparison that is impossible or incomplete stays open until the end, where the reason is given.
 */
export function watchRegression(rule: RuleOf<'no-regression'>, place: WatchPlace): PlannedWatch {
  const { baseline: found, run, marks, target } = place;
  if ('reason' in found) return planOpen(place, found.reason);
  const { baseline } = found;
  if (rule.mean === 'clusters') return planOpen(place, 'each cluster counts once, which is known at the end');
  if (isOnThese(rule)) return planOpen(place, 'it is about these questions, so all of them are asked');
  const subject = subjectOf(rule) ?? { measure: 'score' };
  const numbers = numbersOf(place, subject);
  if ('reason' in numbers) return planOpen(place, numbers.reason);
  const difference = findIncomparable(baseline, run, subject);
  const before = findBaselineTarget(baseline, run, target);
  if (difference !== undefined || before === undefined) {
    return planOpen(
      place,
      `${difference ?? `no target ${target}`}: it cannot be compared with ${baseline.name}`,
    );
  }
  const cases = { run, cases: place.cases, planned: marks.planned, category: place.rule.category };
  const { pairs, lost } = pairWithBaseline(before, subject, cases);
  if (lost.length > 0) return planOpen(place, `${baseline.name} has questions that this run lacks`);
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
  const limit = formatDifference(margin, undefined).replace('+', '');
  const what = describeSubject(subject);
  const wording = {
    toScale: (mean: number) => 2 * mean - 1,
    format: (value: number) => formatDifference(value, undefined),
    passed: `${what} is not worse than ${baseline.name} by ${limit} or more`,
    failed: `${what} is worse than ${baseline.name} by more than ${limit}`,
  };
  const threshold = Math.max(0, (1 - margin) / 2);
  return {
    rule: place.rule,
    confidence: rule.confidence,
    kind: 'statistical',
    begin: (rates) => watchMean({ threshold, ...scopeOf(place, false), rangeAt, wording }, rates),
  };
}
