import { weakestFirst } from '../../report/advice.ts';
import { formatCautiousInterval, isInformative } from '../../report/certainty.ts';
import type { ReportedTarget } from '../../report/findings.ts';
import {
  formatCount,
  formatInterval,
  formatPercent,
  formatPercentile,
  formatPercentileLimits,
  formatQuantity,
  formatQuantityInterval,
  formatWeight,
  hasInterval,
  missing,
} from '../../report/format.ts';
import { categoryCells, hasSubject, latencyOf } from '../../report/rows/category-cells.ts';
import { countedCriteria } from '../../report/overview.ts';
import type { Estimate } from '../../../core/schema/estimate.ts';
import type { Criterion } from '../../../core/schema/verdict.ts';
import type { CategorySummary, MetricSummary } from '../../../core/schema/summary.ts';
import { type Line, shareTone, span, type Tone } from './line.ts';
import { setTable } from './table.ts';

/** Formats every component that counts with its weight, its mean, the interval and a plot of both. */
export function componentLines({ run, target }: ReportedTarget, width: number): Line[] {
  const criteria = countedCriteria(run.scorecard);
  if (criteria.length === 0 || target.criteria !== undefined) return [];
  const rows = criteria.map((criterion) => {
    const summary = target.metrics.find(({ metric }) => metric === criterion.metric);
    return [
      criterionName(criterion),
      [span(formatWeight(criterion.weight), 'quiet')],
      ...componentCells(summary),
    ];
  });
  const columns = [
    { title: 'Component' },
    { title: 'Weight', align: 'right' },
    { title: 'Mean', align: 'right' },
    { title: '' },
    { title: 'n', align: 'right', isOptional: true },
    { title: plotTitle, isOptional: true },
  ] as const;
  const hasRequired = criteria.some(({ required }) => required);
  const isShared = criteria.some(({ metric }) => {
    const summary = target.metrics.find((one) => one.metric === metric);
    return summary !== undefined && summary.notApplicable > 0;
  });
  const footnotes = [
    ...(hasRequired ? ['  * required: no answer passes without full marks here'] : []),
    ...(isShared
      ? ['  If a case has no expectation for a component, the other components share its weight.']
      : []),
  ];
  return [...setTable({ columns, rows }, width), ...footnotes.map((text) => [span(text, 'quiet')])];
}

function criterionName({ name, required }: Criterion): Line {
  return required ? [span(name), span(' *', 'quiet')] : [span(name)];
}

function componentCells(summary: MetricSummary | undefined): Line[] {
  if (summary === undefined) return [[span(missing, 'quiet')], [], [], []];
  const { estimate, unit } = summary;
  if (unit !== undefined) {
    const interval = span(formatQuantityInterval(estimate, unit), 'quiet');
    return [[span(formatQuantity(estimate.value, unit))], [interval], measuredCell(summary), []];
  }
  const tone = shareTone(estimate.value);
  return [
    [span(formatPercent(estimate.value), tone)],
    [span(formatInterval(estimate), 'quiet')],
    measuredCell(summary),
    plotEstimate(estimate, tone),
  ];
}

/** Formats the metrics that are measured but do not count; quantities such as latency with percentiles. */
export function extraLines({ run, target }: ReportedTarget, width: number): Line[] {
  const counted = new Set(countedCriteria(run.scorecard).map(({ metric }) => metric));
  const extras = target.metrics.filter((summary) => !counted.has(summary.metric) && hasSubject(summary));
  if (extras.length === 0) return [];
  const columns = [
    { title: counted.size > 0 ? 'Also measured' : 'Measured' },
    { title: 'Mean', align: 'right' },
    { title: '', isOptional: true },
    { title: 'p50', align: 'right' },
    { title: 'p90', align: 'right' },
    { title: 'p99', align: 'right' },
    { title: 'n', align: 'right', isOptional: true },
  ] as const;
  return setTable({ columns, rows: extras.flatMap(extraRows) }, width);
}

/** Returns the row of values, and below it a row with the limits of percentiles. */
function extraRows(summary: MetricSummary): Line[][] {
  const { metric, unit, estimate, percentiles } = summary;
  const values = [
    [span(metric)],
    [span(formatQuantity(estimate.value, unit))],
    [span(formatQuantityInterval(estimate, unit), 'quiet')],
    ...percentileNames.map((name) =>
      percentiles === undefined ? [] : [span(formatPercentile(percentiles[name], unit))],
    ),
    measuredCell(summary),
  ];
  if (percentiles === undefined) return [values];
  const limits = percentileNames.map((name) => formatPercentileLimits(percentiles, name, unit));
  if (limits.every((text) => text === '')) return [values];
  return [values, [[], [], [], ...limits.map((text) => [span(text, 'quiet')]), []]];
}

const percentileNames = ['p50', 'p90', 'p99'] as const;

function measuredCell({ scored, notApplicable, planned }: MetricSummary): Line {
  const asked = planned - notApplicable;
  return scored === asked ? [] : [span(`${formatCount(scored)}/${formatCount(asked)}`, 'fair')];
}

const mostCategories = 30;

/** Formats the categories of a target, weakest first, each with its mean, the interval, and the number that passed. */
export function categoryLines({ run, target }: ReportedTarget, width: number): Line[] {
  const categories = weakestFirst(target);
  if (categories.length < 2 || target.counts.measured === 0 || run.scorecard === null) return [];
  const columns = [
    { title: 'Category, weakest first' },
    { title: 'Mean', align: 'right' },
    { title: '' },
    { title: 'Passed', align: 'right' },
    { title: plotTitle, isOptional: true },
    { title: 'Latency p50 / p90 / p99', align: 'right', isOptional: true },
  ] as const;
  const rows = categories.slice(0, mostCategories).map((one) => categoryRow(one, run.scorecard?.passMark));
  const others = categories.length - rows.length;
  const more = others > 0 ? [[span(`  … and ${formatCount(others)} more`, 'quiet')]] : [];
  return [...setTable({ columns, rows }, width), ...more];
}

function categoryRow(summary: CategorySummary, passMark: number | undefined): Line[] {
  const { category, score, counts } = summary;
  const tone = shareTone(score.value, passMark);
  return [
    [span(category)],
    [span(formatPercent(score.value), tone)],
    [span(formatCautiousInterval(score) || 'not measured', 'quiet')],
    [span(formatCount(counts.passed)), span(`/${formatCount(counts.measured)}`, 'quiet')],
    plotEstimate(isInformative(score) ? score : { ...score, lower: null, upper: null }, tone),
    [span(latencyOf(summary), 'quiet')],
  ];
}

/** Formats every metric by category; the last metrics are left out when the width is too small. */
export function categoryMetricLines({ target }: ReportedTarget, width: number): Line[] {
  const table = categoryCells(target);
  if (table === undefined) return [];
  const columns = [
    { title: 'By category' },
    ...table.metrics.map((title, index) => ({ title, align: 'right', isOptional: index > 0 }) as const),
  ];
  const rows = table.rows
    .slice(0, mostCategories)
    .map(({ category, cells }) => [[span(category)], ...cells.map(({ text }) => [span(text)])]);
  const others = table.rows.length - rows.length;
  const more = others > 0 ? [[span(`  … and ${formatCount(others)} more`, 'quiet')]] : [];
  return [...setTable({ columns, rows }, width), ...more];
}

/** The width of a plotted interval in columns. */
const columns = 16;

/** The title of a column of plotted intervals: the ends of the axis. */
export const plotTitle = `0 %${' '.repeat(columns - 8)}100 %`;

/** Plots a share on an axis from 0 to 100 %: a dot for the mean on a line for the interval. Empty without a mean. */
export function plotEstimate(estimate: Estimate, tone: Tone | undefined): Line {
  if (estimate.value === null || !(estimate.value >= 0 && estimate.value <= 1)) return [];
  const dot = place(estimate.value);
  const [from, to] = hasInterval(estimate) ? [place(estimate.lower), place(estimate.upper)] : [dot, dot];
  return [
    span('·'.repeat(Math.min(from, dot)), 'quiet'),
    span('─'.repeat(Math.max(0, dot - from)), tone),
    span('●', tone),
    span('─'.repeat(Math.max(0, to - dot)), tone),
    span('·'.repeat(columns - 1 - Math.max(to, dot)), 'quiet'),
  ];
}

function place(share: number): number {
  return Math.min(columns - 1, Math.max(0, Math.round(share * (columns - 1))));
}
