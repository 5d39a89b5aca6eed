import { equalTo, type Filter } from '../../core/lib/filter/filter.ts';
import type { GateView } from '../../core/schema/api/gate-view.ts';
import type { GateOutcome, RuleDecision } from '../../core/schema/decision.ts';
import type { GateRule } from '../../core/schema/gate.ts';
import type { Estimate } from '../../core/schema/estimate.ts';
import { casesToDecide } from '../../core/stats/planning/sample-size.ts';
import { formatLimits, formatSigned } from './comparison/rows.ts';
import {
  formatCount,
  formatPlural,
  formatQuantity,
  formatQuantityInterval,
  formatWeight,
  missing,
} from './format.ts';

/** A rule of a gate about one target, as a page shows it. */
export interface GateCheck {
  readonly key: string;
  readonly name: string;
  readonly target: string;
  readonly category?: string;
  readonly outcome: GateOutcome;
  /** The reason and the computation, in the words of `touchstone gate`. */
  readonly reason: string;
  readonly arithmetic: string;
  readonly measured: string;
  /** The threshold, `at least 85.0 %`. */
  readonly needed: string;
  /** The one-sided bounds, `[73.1, 91.2]`, and their confidence; empty when the rule uses none. */
  readonly interval: string;
  readonly confidence: string;
  readonly n: number;
  /** The numbers as a picture: the measured value with its bounds, the threshold as a mark; undefined without a value. */
  readonly plot?: { readonly estimate: Estimate; readonly domain: [number, number]; readonly mark: number };
  /** The cases that the rule is about, those to look at first at the top: a filter with an order. */
  readonly cases: { readonly where: Filter; readonly sort?: string };
  /** The number of cases that would decide an undecided rule, in a sentence; empty when it is decided or unknown. */
  readonly more: string;
}

const worstFirst: readonly GateOutcome[] = ['fail', 'not-measured', 'inconclusive', 'pass'];

/** Returns the rules of a gate, those that did not pass first. */
export function listGateChecks(
  view: Pick<GateView, 'gate' | 'decision' | 'thresholds' | 'units'>,
): GateCheck[] {
  const rules = [...view.thresholds, ...(view.decision?.rules ?? [])];
  return worstFirst.flatMap((outcome) =>
    rules.filter((rule) => rule.outcome === outcome).map((rule) => toCheck(rule, view)),
  );
}

function toCheck(rule: RuleDecision, view: Pick<GateView, 'gate' | 'units'>): GateCheck {
  const { name, target, category, outcome, reason, arithmetic, value, threshold, n } = rule;
  const scale = scaleOf(rule, view);
  const { format } = scale;
  const { lower, upper, confidence } = rule;
  const hasBounds = typeof lower === 'number' && typeof upper === 'number';
  const plot = plotOf(rule, scale);
  return {
    key: [name, target, category ?? ''].join('\n'),
    name,
    target,
    category,
    outcome,
    reason,
    arithmetic,
    measured: value === null ? missing : format(value),
    needed: threshold === null ? missing : `${scale.relation} ${format(threshold)}`,
    interval: hasBounds ? scale.interval(lower, upper) : '',
    confidence: hasBounds && confidence !== undefined ? `one-sided ${formatWeight(confidence)} each` : '',
    n,
    ...(plot && { plot }),
    cases: casesOf(rule, view),
    more: describeMore(rule, scale),
  };
}

/** The scale of a rule's numbers. */
interface Scale {
  readonly isShare: boolean;
  readonly isDifference: boolean;
  readonly relation: 'at least' | 'at most' | 'above';
  readonly format: (value: number) => string;
  /** Formats two bounds. */
  readonly interval: (lower: number, upper: number) => string;
}

/** The units of rules that are not about a metric; their values have to be low. */
const ownUnits: Readonly<Record<string, string>> = { latency: 'ms', cost: 'USD' };

/** Returns the metric or the criterion that a rule is about; undefined for another number. */
function subjectOf(rule: GateRule | undefined): string | undefined {
  if (rule === undefined) return undefined;
  if ('metric' in rule && rule.metric !== undefined) return rule.metric;
  return 'criterion' in rule ? rule.criterion : undefined;
}

function isAtMost(rule: GateRule | undefined): boolean {
  return rule !== undefined && 'atMost' in rule && rule.atMost !== undefined;
}

function scaleOf({ name, type }: RuleDecision, { gate, units }: Pick<GateView, 'gate' | 'units'>): Scale {
  const rule = gate.rules?.[name];
  const measured = type === 'coverage' ? undefined : units[subjectOf(rule) ?? ''];
  const unit = ownUnits[type] ?? measured;
  const isDifference = type === 'no-regression';
  const isUpper = type in ownUnits || isAtMost(rule);
  return {
    isShare: unit === undefined,
    isDifference,
    relation: isDifference ? 'above' : isUpper ? 'at most' : 'at least',
    format: isDifference
      ? (value) => `${formatSigned(value, unit)}${unit === undefined ? ' points' : ''}`
      : (value) => formatQuantity(value, unit),
    interval: (lower, upper) => {
      const estimate = { value: null, lower, upper, n: 0, confidence: 0.95, method: '' };
      return isDifference ? formatLimits(estimate, unit) : formatQuantityInterval(estimate, unit);
    },
  };
}

/** Returns the cases of a rule: those that did not pass, or those with the worst numbers first. */
function casesOf(
  { name, type, target, category }: RuleDecision,
  { gate }: Pick<GateView, 'gate'>,
): GateCheck['cases'] {
  const rule = gate.rules?.[name];
  const of = [
    equalTo('target', [target]),
    ...(category === undefined ? [] : [equalTo('category', [category])]),
  ];
  if (type === 'latency' || type === 'cost')
    return { where: of, sort: type === 'cost' ? '-cost' : '-latencyMs' };
  if (rule !== undefined && 'metric' in rule && rule.metric !== undefined) {
    return { where: of, sort: `${isAtMost(rule) ? '-' : ''}metric.${rule.metric}` };
  }
  const required =
    rule !== undefined && 'ids' in rule ? [{ field: 'id', operator: '=' as const, values: rule.ids }] : [];
  const missed = equalTo('result', ['failed', 'error', 'not-measured']);
  return { where: [...of, ...required, missed], sort: 'total' };
}

/** Counts rules by outcome, `2 fail · 5 pass`, the worst outcome first. */
export function countChecks(checks: readonly GateCheck[]): string {
  return worstFirst
    .map((outcome) => [checks.filter((check) => check.outcome === outcome).length, outcome] as const)
    .filter(([count]) => count > 0)
    .map(
      ([count, outcome]) => `${formatCount(count)} ${outcome === 'not-measured' ? 'not measured' : outcome}`,
    )
    .join(' · ');
}

/** Returns the picture of a rule. Shares are drawn on [0, 1], differences around 0, and quantities from 0. */
function plotOf(
  { value, threshold, lower = null, upper = null, confidence = 0.95, n }: RuleDecision,
  { isShare, isDifference }: Scale,
): GateCheck['plot'] {
  if (value === null || threshold === null) return undefined;
  const estimate = { value, lower, upper, n, confidence, method: '' };
  if (isShare && !isDifference) return { estimate, domain: [0, 1], mark: threshold };
  const reach = 1.1 * Math.max(...[value, threshold, lower ?? 0, upper ?? 0].map(Math.abs), Number.MIN_VALUE);
  return { estimate, domain: [isDifference ? -reach : 0, reach], mark: threshold };
}

/**
 * Describes how many cases would decide a rule that is undecided. The reasons of a rule that was never broken, and of a
 * comparison with a baseline, say so themselves.
 */
function describeMore(rule: RuleDecision, { format, isDifference }: Scale): string {
  const { outcome, value, threshold, lower, upper, confidence, n } = rule;
  if (outcome !== 'inconclusive' || isDifference || value === null || threshold === null) return '';
  if (typeof lower !== 'number' || typeof upper !== 'number' || lower === value || upper === value) return '';
  const bound = value > threshold ? lower : upper;
  const planned = casesToDecide({ n, mean: value, bound, threshold, ...(confidence && { confidence }) });
  if (planned === undefined) {
    return `The measured value is the threshold itself: no number of questions would decide between the two.`;
  }
  const more = planned.n - n;
  if (more <= 0) return '';
  return `About ${formatPlural(planned.n, 'question')}, ${formatCount(more)} more than now, would decide it with ${formatWeight(planned.power)} power if the value stays ${format(value)}.`;
}
