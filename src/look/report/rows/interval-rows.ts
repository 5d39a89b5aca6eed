import { conditionName } from '../../../core/schema/condition.ts';
import type { Estimate } from '../../../core/schema/estimate.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { MetricSummary, Summary, TargetSummary } from '../../../core/schema/summary.ts';
import { cautionOf } from '../caution.ts';
import {
  formatConfidence,
  formatCount,
  formatEffective,
  formatPercent,
  formatQuantity,
  formatQuantityInterval,
  missing,
} from '../format.ts';
import { type Phrase, quote } from '../phrase.ts';

/** One number of a report with everything about its certainty. */
export interface IntervalRow {
  /** The name, of own words and names from outside. */
  readonly name: Phrase;
  readonly value: string;
  /** The interval; empty when there is none. */
  readonly interval: string;
  /** The reason why there is no interval; empty when there is one. */
  readonly reason: string;
  /** The unit, which a user-defined metric chooses; undefined for a share. */
  readonly unit: string | undefined;
  /** The number of questions, with the effective one in brackets where they have different weights. */
  readonly n: string;
  /** The number of clusters; empty when no two questions share one. */
  readonly clusters: string;
  /** The measured share of what should have been measured; empty when that is not counted. */
  readonly coverage: string;
  readonly method: string;
  /** The confidence, such as `95 %`. */
  readonly confidence: string;
  /** The caution, `too few to say` or `few clusters`; empty when there is none. */
  readonly caution: string;
}

/** The number of measured values and of those that should have been measured. */
interface Covered {
  readonly measured: number;
  readonly of: number;
}

/** Lists every interval of a target: the score, shares, metrics, criteria, outcomes, attempts and categories. */
export function intervalRows({ scorecard }: Run, target: TargetSummary): IntervalRow[] {
  const { counts, score, passRate, errorRate, metrics, categories } = target;
  const ofTrials = coverageOf(counts);
  const ofScorecard = [toRow(['score'], score, ofTrials), toRow(['passed'], passRate, ofTrials)];
  const { outcomes = [], criteria = [], reliability } = target;
  return [
    ...(scorecard === null ? [] : ofScorecard),
    toRow(['errors'], errorRate),
    ...(target.weighted === undefined
      ? []
      : [
          toRow(['score, weighted'], target.weighted.score),
          toRow(['passed, weighted'], target.weighted.passRate),
        ]),
    ...metrics.flatMap((metric) => [metricRow([quote(metric.metric)], metric), ...percentileRows(metric)]),
    ...outcomes.map(({ outcome, share }) => toRow(['outcome ', quote(outcome)], share, ofTrials)),
    ...criteria.map(({ criterion, share, measured, notMeasured }) =>
      toRow([quote(criterion), ' not met'], share, { measured, of: measured + notMeasured }),
    ),
    ...(reliability?.levels ?? []).flatMap(({ k, any, all }) => [
      toRow([`pass@${k}`], any),
      toRow([`pass^${k}`], all),
    ]),
    ...(scorecard === null ? [] : categories).map(({ category, score: ofCategory, counts: own }) =>
      toRow(['category ', quote(category)], ofCategory, coverageOf(own)),
    ),
  ].filter(({ n }) => n !== '0');
}

/**
 * Lists every interval that is not of a single target: robustness to conditions, and the differences between targets.
 */
export function sharedIntervalRows({ robustness = [], comparisons }: Summary): IntervalRow[] {
  return [
    ...robustness.map(({ condition, held }) =>
      toRow([quote(condition.of), ' held under ', quote(conditionName(condition))], held),
    ),
    ...comparisons.flatMap(({ measure, name, unit, leader, differences }) =>
      differences.map(({ target, ...difference }) => {
        const about = measure === name ? [name] : [quote(name)];
        return toRow(
          [...about, ', ', quote(leader ?? missing), ' − ', quote(target)],
          difference,
          undefined,
          unit,
        );
      }),
    ),
  ].filter(({ n }) => n !== '0');
}

function coverageOf({ measured, planned, notNeeded = 0 }: TargetSummary['counts']): Covered {
  return { measured, of: planned - notNeeded };
}

function metricRow(name: Phrase, { estimate, unit, scored, failed }: MetricSummary): IntervalRow {
  return toRow(name, estimate, { measured: scored, of: scored + failed }, unit);
}

/** Lists the percentiles of a metric; percentiles of too few values have no limits. */
function percentileRows({ metric, unit, percentiles, estimate }: MetricSummary): IntervalRow[] {
  if (percentiles?.intervals === undefined) return [];
  const { intervals } = percentiles;
  const { confidence } = estimate;
  return (['p50', 'p90', 'p99'] as const).map((name) => {
    const { lower = null, upper = null } = intervals[name] ?? {};
    const reason = lower === null ? { reason: 'too few values' } : {};
    const basis = { n: intervals.n, confidence, method: 'order-statistics', ...reason };
    return toRow(
      [quote(metric), `, ${name}`],
      { value: percentiles[name], lower, upper, ...basis },
      undefined,
      unit,
    );
  });
}

function toRow(name: Phrase, estimate: Estimate, covered?: Covered, unit?: string): IntervalRow {
  const { value, n, effectiveCases, clusters, method, reason = '' } = estimate;
  return {
    name,
    value: formatQuantity(value, unit),
    interval: formatQuantityInterval(estimate, unit),
    reason,
    unit,
    n:
      effectiveCases === undefined
        ? formatCount(n)
        : `${formatCount(n)} (${formatEffective(effectiveCases)})`,
    clusters: clusters === undefined ? '' : formatCount(clusters),
    coverage: covered === undefined || covered.of === 0 ? '' : formatPercent(covered.measured / covered.of),
    method,
    confidence: formatConfidence(estimate),
    caution: cautionOf(estimate, unit),
  };
}
