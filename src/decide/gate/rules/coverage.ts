import { type GateRuleKind, notMeasured } from './gate-rule.ts';
import { formatShare, formatThreshold, subjectOf } from './phrases.ts';
import { selectCases } from './select-cases.ts';

const tolerance = 1e-9;

/**
 * The rule that enough trials have a score, or a verdict of a metric. With too few, the run is not measured rather
 * than failed.
 */
export const coverageRule: GateRuleKind<'coverage'> = {
  type: 'coverage',
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
    if (planned === 0) return notMeasured('there are no trials', { threshold });
    const value = (planned - missing) / planned;
    const isMissed = value < threshold - tolerance;
    return {
      outcome: isMissed ? 'not-measured' : 'pass',
      reason: `the coverage, ${formatShare(value)}, is ${isMissed ? 'under' : 'at least'} ${formatThreshold(threshold, undefined)}`,
      arithmetic: `${planned - missing} of ${planned} ${planned === 1 ? 'trial' : 'trials'} ${planned - missing === 1 ? 'was' : 'were'} measured`,
      value,
      threshold,
      n: planned,
    };
  },
};
