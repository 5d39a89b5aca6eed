import type { GateRule } from '../../schema/gate-rule.ts';
import type { GateCase } from '../rules/gate-rule.ts';
import { planMean, planMeanOf } from './plan-mean.ts';
import { planNoRegression } from './plan-no-regression.ts';
import { planCost } from './plan-cost.ts';
import { planCoverage } from './plan-coverage.ts';
import { planOpen } from './plan-open.ts';
import { planRequired } from './plan-required.ts';
import type { PlannedWatch } from './rule-watch.ts';
import { readIsWithin } from './target-numbers.ts';
import type { WatchContext, WatchPlace } from './watch-context.ts';

const shares = { p50: 0.5, p90: 0.9, p99: 0.99 } as const;

/** What is watched of a rule: it as a whole, or each category by itself where it asks for that. */
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

/** A percentile is at most a limit when that share of the trials is: the mean of what is 1 or 0. */
function planKind(rule: GateRule, place: WatchPlace): PlannedWatch {
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
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
  readonly confidence?: number | undefined;
}) {
  const relation = atLeast === undefined ? ('at-most' as const) : ('at-least' as const);
  return { relation, threshold: (atLeast ?? atMost ?? 0) / 100, confidence };
}
