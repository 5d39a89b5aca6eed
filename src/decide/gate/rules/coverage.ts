import { type Finding, notMeasured } from '../gate-rule.ts';
import type { GateRuleKind, RuleOf } from './rule-kind.ts';
import { formatAttempts, formatShare, formatThreshold, subjectOf } from '../phrases.ts';
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
    return findingOf('the coverage', { measured: planned - missing, n: planned, threshold });
  },
};

interface Coverage {
  readonly measured: number;
  readonly n: number;
  readonly threshold: number;
}

function findingOf(what: string, { measured, n, threshold }: Coverage): Finding {
  const value = n === 0 ? 0 : measured / n;
  const isMissed = value < threshold - tolerance;
  return {
    outcome: isMissed ? 'not-measured' : 'pass',
    reason: `${what}, ${formatShare(value)}, is ${isMissed ? 'under' : 'at least'} ${formatThreshold(threshold, undefined)}`,
    arithmetic: formatAttempts(measured, n, 'measured'),
    value,
    threshold,
    n,
  };
}

/** Plans the watch of a coverage rule, which is decided on the trials made so far: no more questions are asked for it. */
function watchCoverage(rule: RuleOf<'coverage'>, place: WatchPlace): PlannedWatch {
  const numbers = numbersOf(place, subjectOf(rule) ?? { measure: 'score' });
  if ('reason' in numbers) return planOpen(place, numbers.reason);
  const own = new Set(place.cases.map(({ position }) => position));
  const threshold = rule.atLeast / 100;
  let [asked, measured] = [0, 0];
  const finding = () => findingOf('the coverage of what was asked', { measured, n: asked, threshold });
  const watch: RuleWatch = {
    advance: (unit) => {
      for (const position of unit) {
        const number = own.has(position) ? numbers.at(position) : undefined;
        asked += number === undefined ? 0 : number.measured + number.missing;
        measured += number?.measured ?? 0;
      }
    },
    status: () => (finding().outcome === 'pass' ? 'pass' : 'continue'),
    finding,
  };
  return { rule: place.rule, kind: 'provisional', begin: () => watch };
}
