import type { GateRule } from '../../../core/schema/gate.ts';
import { metricsBehind } from '../metrics-behind.ts';
import { type GateCase, notMeasured } from '../rules/gate-rule.ts';
import { findBaselineTarget, findIncomparable, pairWithBaseline } from '../rules/pair-with-baseline.ts';
import {
  formatDifference,
  formatMoney,
  formatNames,
  describeSubject,
  formatCount,
  formatShare,
  formatThreshold,
  subjectOf,
} from '../rules/phrases.ts';
import { findAbsent, matchIds, outcomeOfCase } from '../rules/required-cases.ts';
import { planMean, planMeanOf, planOpen } from './plan-mean.ts';
import {
  numbersOf,
  type PlannedWatch,
  readIsWithin,
  type RuleWatch,
  scopeOf,
  type WatchContext,
  type WatchPlace,
} from './rule-watch.ts';
import { type CaseRange, watchMean } from './watch-mean.ts';

const shares = { p50: 0.5, p90: 0.9, p99: 0.99 } as const;

/** Plans the watches of a rule: one for the whole rule, or one for each category when the rule asks for that. */
export function planRule(name: string, rule: GateRule, context: WatchContext): PlannedWatch[] {
  const { counted } = context.marks;
  const asked = 'category' in rule ? rule.category : undefined;
  const base = { name, type: rule.type, target: context.target };
  const plan = (cases: readonly GateCase[], category?: string) => {
    const place = { ...context, cases, rule: { ...base, ...(category !== undefined && { category }) } };
    return cases.length === 0 ? planOpen(place, 'no case counts') : planKind(rule, place);
  };
  if (asked === undefined) return [plan(counted)];
  const categories = asked === '*' ? [...new Set(counted.map(({ category }) => category))] : [asked];
  return categories.map((category) =>
    plan(
      counted.filter((each) => each.category === category),
      category,
    ),
  );
}

/**
 * Plans one rule. A percentile is at most a limit when that share of the trials is: the mean of values that are 1 or
 * 0.
 */
function planKind(rule: GateRule, place: WatchPlace): PlannedWatch {
  const judged = metricsBehind(subjectOf(rule), place.run.scorecard).find((name) =>
    place.certified.has(name),
  );
  if (judged !== undefined && rule.type !== 'coverage')
    return planOpen(
      place,
      `the rate of ${judged} is corrected by the certificate of its judge at the end of the run`,
    );
  const least = { relation: 'at-least', confidence: undefined } as const;
  switch (rule.type) {
    case 'score':
      return planMeanOf({ measure: 'score' }, toMean(rule), place);
    case 'pass-rate':
      return planMeanOf({ measure: 'passed' }, toMean(rule), place);
    case 'criterion':
      return planMeanOf({ measure: 'criterion', name: rule.criterion }, toMean(rule), place);
    case 'metric':
      if (isBeyondShares(rule)) return planOpen(place, 'it is about a quantity, which has no bounds');
      return planMeanOf({ measure: 'metric', name: rule.metric }, toMean(rule), place);
    case 'no-regression':
      return planNoRegression(rule, place);
    case 'required-cases':
      return planRequired(rule, place);
    case 'coverage':
      return planCoverage(rule, place);
    case 'cost':
      return planCost(rule, place);
    case 'latency': {
      const within = place.numbers.read(`within ${rule.atMostMs}`, readIsWithin(rule.atMostMs));
      const what = `the share of trials within ${rule.atMostMs} ms`;
      return planMean({ ...least, threshold: shares[rule.percentile], what }, within, place);
    }
  }
}

function isBeyondShares({ atLeast, atMost }: Extract<GateRule, { type: 'metric' }>): boolean {
  const asked = atLeast ?? atMost ?? 0;
  return asked < 0 || asked > 100;
}

function toMean({
  atLeast,
  atMost,
  confidence,
}: {
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly confidence?: number;
}) {
  const relation = atLeast === undefined ? ('at-most' as const) : ('at-least' as const);
  return { relation, threshold: (atLeast ?? atMost ?? 0) / 100, confidence };
}

/**
 * Plans a cost rule. The cost of a run is that of the trials made so far, and fails once it is too high. The mean of
 * a trial has no bounds.
 */
function planCost({ atMost, per }: Extract<GateRule, { type: 'cost' }>, place: WatchPlace): PlannedWatch {
  if (per === 'trial') {
    return planOpen(place, 'the cost of a trial has no bounds, so its mean is not certain before the end');
  }
  let [spent, reported, silent] = [0, 0, 0];
  const isTooMuch = () => spent > atMost * (1 + 1e-12);
  const watch: RuleWatch = {
    add: (_, { trial }) => {
      spent += trial.cost ?? 0;
      if (trial.cost === undefined) silent += 1;
      else reported += 1;
    },
    advance: () => {},
    status: () => (isTooMuch() ? 'fail' : silent > 0 ? 'continue' : 'pass'),
    finding: () => {
      const arithmetic = `${formatCount(reported, 'trial')} cost ${formatMoney(spent)} together`;
      const base = { value: spent, threshold: atMost, n: reported, arithmetic };
      const subject = `the cost of what was asked, ${formatMoney(spent)},`;
      if (isTooMuch())
        return { ...base, outcome: 'fail', reason: `${subject} is over ${formatMoney(atMost)}` };
      if (silent > 0) return notMeasured(`${formatCount(silent, 'trial')} did not report their cost`, base);
      return { ...base, outcome: 'pass', reason: `${subject} is at most ${formatMoney(atMost)}` };
    },
  };
  return { rule: place.rule, kind: 'provisional', begin: () => watch };
}

/** Plans a coverage rule, which is decided on the trials made so far: no more questions are asked for it. */
function planCoverage(rule: Extract<GateRule, { type: 'coverage' }>, place: WatchPlace): PlannedWatch {
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
    status: () => (isEnough() ? 'pass' : 'continue'),
    finding: () => ({
      outcome: isEnough() ? 'pass' : 'not-measured',
      reason: `the coverage of what was asked, ${formatShare(share())}, is ${isEnough() ? 'at least' : 'under'} ${formatThreshold(threshold, undefined)}`,
      arithmetic: `${measured} of ${asked} ${asked === 1 ? 'trial' : 'trials'} ${measured === 1 ? 'was' : 'were'} measured`,
      value: share(),
      threshold,
      n: asked,
    }),
  };
  return { rule: place.rule, kind: 'provisional', begin: () => watch };
}

/**
 * Plans a rule about required cases, which are asked first: it fails with the first that does not pass, and passes
 * once all have.
 */
function planRequired(
  { ids, passes }: Extract<GateRule, { type: 'required-cases' }>,
  place: WatchPlace,
): PlannedWatch {
  const { run, cases, marks } = place;
  const numbers = numbersOf(place, { measure: 'passed' });
  if ('reason' in numbers) return planOpen(place, numbers.reason);
  const isRequired = matchIds(ids);
  const required = cases.filter(({ id }) => isRequired(id));
  if (required.length === 0 || findAbsent(ids, marks.planned.values()).length > 0) {
    return planOpen(place, 'not all required cases are there');
  }
  const needed = Math.min(passes ?? run.attempts, run.attempts);
  const open = new Map(required.map((each) => [each.position, each]));
  const failed: GateCase[] = [];
  const countPassed = () => required.length - open.size - failed.length;
  const watch: RuleWatch = {
    add: (position) => {
      const each = open.get(position);
      const outcome = each && outcomeOfCase(numbers.at(position), needed);
      if (each === undefined || outcome === 'not-measured') return;
      open.delete(position);
      if (outcome === 'fail') failed.push(each);
    },
    advance: () => {},
    status: () => (failed.length > 0 ? 'fail' : open.size === 0 ? 'pass' : 'continue'),
    finding: () => {
      const base = {
        value: countPassed() / required.length,
        threshold: 1,
        n: required.length,
        arithmetic: `${countPassed()} of ${formatCount(required.length, 'required case')} passed`,
      };
      const names = formatNames(failed.map(({ id }) => id));
      if (failed.length > 0) return { ...base, outcome: 'fail', reason: `${names} did not pass` };
      if (open.size > 0) return notMeasured('not all required cases were asked', base);
      return { ...base, outcome: 'pass', reason: `${formatCount(required.length, 'required case')} passed` };
    },
  };
  return { rule: place.rule, kind: 'exact', begin: () => watch };
}

type NoRegressionRule = Extract<GateRule, { type: 'no-regression' }>;

/**
 * Plans to watch the differences from the baseline, case by case: now minus before, d, counts as (d + 1) / 2. A
 * comparison that is impossible or incomplete stays open until the end, where the reason is given.
 */
function planNoRegression(rule: NoRegressionRule, place: WatchPlace): PlannedWatch {
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
      `${difference ?? `no target ${target}`}: it cannot be compared with ${baseline.name}`,
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
