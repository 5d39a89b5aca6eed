import type { GateRule } from '../../schema/gate-rule.ts';
import { sayShare, sayThreshold } from '../rules/say-number.ts';
import { subjectOf } from '../rules/subject.ts';
import { planOpen } from './plan-open.ts';
import type { PlannedWatch, RuleWatch } from './rule-watch.ts';
import { numbersOf, type WatchPlace } from './watch-context.ts';

/** Whether enough was measured is decided on what was asked: more questions are not asked for it. */
export function planCoverage(rule: Extract<GateRule, { type: 'coverage' }>, place: WatchPlace): PlannedWatch {
  const numbers = numbersOf(place, subjectOf(rule) ?? { measure: 'score' });
  if ('reason' in numbers) return planOpen(place, numbers.reason);
  const own = new Set(place.cases.map(({ position }) => position));
  const threshold = rule.atLeast / 100;
  let [asked, measured] = [0, 0];
  const share = () => (asked === 0 ? 0 : measured / asked);
  const isEnough = () => share() >= threshold - 1e-9;
  const watch: RuleWatch = {
    advance: (unit) => {
      for (const position of unit) {
        const number = own.has(position) ? numbers.at(position) : undefined;
        asked += number === undefined ? 0 : number.measured + number.missing;
        measured += number?.measured ?? 0;
      }
    },
    standing: () => (isEnough() ? 'pass' : 'continue'),
    finding: () => ({
      outcome: isEnough() ? 'pass' : 'not-measured',
      reason: `the coverage of what was asked, ${sayShare(share())}, is ${isEnough() ? 'not ' : ''}under ${sayThreshold(threshold, undefined)}`,
      arithmetic: `${measured} of ${asked} trials were measured`,
      value: share(),
      threshold,
      n: asked,
    }),
  };
  return { rule: place.rule, kind: 'provisional', begin: () => watch };
}
