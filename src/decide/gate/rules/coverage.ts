import { notMeasured } from '../gate-rule.ts';
import type { GateRuleKind, RuleOf } from './rule-kind.ts';
import { formatShare, formatThreshold, subjectOf } from '../phrases.ts';
import { planOpen } from '../watch/plan-mean.ts';
import { numbersOf, type PlannedWatch, type RuleWatch, type WatchPlace } from '../watch/rule-watch.ts';
import { selectCases } from './select-cases.ts';

const tolerance = 1e-9;

/**
 * The rule that enough trials have a score, or a verdict of a metric. With too few, the run is not measured rather
 * than failed.
 */
export const coverageRule: GateRuleKind<'coverage'> = {
  type: 'coverage',
  reads: 'coverage',
  watch: watchCoverage,
  decide: (rule, { cases, category, summary, numbersOf }) => {
    const threshold = rule.atLeast / 100;
    const found = () => {
      if (rule.metric === undefined && category === undefined) {
        const { planned } = summary.counts;
        return { planned, missing: Math.round(planned * (1 - summary.coverage)) };
      }
      const numbers = numbersOf(subjectOf(rule) ?? { measure: 'score' });
      return 'reason' in numbers ? numbers : selectCases(cases, numbers);
    };
    const trials = found();
    if ('reason' in trials) return notMeasured(trials.reason, { threshold });
    const { planned, missing } = trials;
    if (planned === 0) return notMeasured('there are no attempts', { threshold });
    const value = (planned - missing) / planned;
    const isMissed = value < threshold - tolerance;
    return {
      outcome: isMissed ? 'not-measured' : 'pass',
      reason: `the coverage, ${formatShare(value)}, is ${isMissed ? 'under' : 'at least'} ${formatThreshold(threshold, undefined)}`,
      arithmetic: `${planned - missing} of ${planned} ${planned === 1 ? 'attempt' : 'attempts'} ${planned - missing === 1 ? 'was' : 'were'} measured`,
      value,
      threshold,
      n: planned,
    };
  },
};

/** Plans the watch of a coverage rule, which is decided on the trials made so far: no more questions are asked for it. */
function watchCoverage(rule: RuleOf<'coverage'>, place: WatchPlace): PlannedWatch {
  const numbers = numbersOf(place, subjectOf(rule) ?? { measure: 'score' });
  if ('reason' in numbers) return planOpen(place, numbers.reason);
  const own = new Set(place.cases.map(({ position }) => position));
  const threshold = rule.atLeast / 100;
  let [asked, measured] = [0, 0];
  const share = () => (asked === 0 ? 0 : measured / asked);
  const isEnough = () => share() >= threshold - tolerance;
  const watch: RuleWatch = {
    advance: (unit) => {
      for (const position of unit) {
        const number = own.has(position) ? numbers.at(position) : undefined;
        asked += number === undefined ? 0 : number.measured + number.missing;
        measured += number?.measured ?? 0;
      }
    },
    status: () => (isEnough() ? 'pass' : 'continue'),
    finding: () => ({
      outcome: isEnough() ? 'pass' : 'not-measured',
      reason: `the coverage of what was asked, ${formatShare(share())}, is ${isEnough() ? 'at least' : 'under'} ${formatThreshold(threshold, undefined)}`,
      arithmetic: `${measured} of ${asked} ${asked === 1 ? 'attempt' : 'attempts'} ${measured === 1 ? 'was' : 'were'} measured`,
      value: share(),
      threshold,
      n: asked,
    }),
  };
  return { rule: place.rule, kind: 'provisional', begin: () => watch };
}
