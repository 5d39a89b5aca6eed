import { weakestFirst } from '../../report/advice.ts';
import { formatCautiousInterval, isInformative } from '../../report/caution.ts';
import type { ReportedTarget } from '../../report/findings.ts';
import {
  formatCount,
  formatPercent,
  formatPercentile,
  formatPercentileLimits,
  formatQuantity,
  formatQuantityInterval,
  formatWeight,
  missing,
} from '../../report/format.ts';
import { countedCriteria } from '../../report/overview.ts';
import { shownValue, uncorrectedNote } from '../../report/score-in-words.ts';
import { categoryCells, hasSubject, latencyOf } from '../../report/rows/category-cells.ts';
import type { CategorySummary, MetricSummary } from '../../../core/schema/summary.ts';
import { type Block, type Column, paragraph, type Row, table, note } from '../blocks/block.ts';
import { axisTitle, plotShare, shareAxis } from '../blocks/plot.ts';
import { name, quantity, quoted, shareTone, span, type Text, type Tone } from '../blocks/text.ts';

/** Lays out every component that counts with its weight, its mean, the interval and a plot of both. */
export function componentBlocks({ run, target }: ReportedTarget): Block[] {
  const criteria = countedCriteria(run.scorecard);
  if (criteria.length === 0 || target.criteria !== undefined) return [];
  const summaryOf = (metric: string) => target.metrics.find((summary) => summary.metric === metric);
  const isShared = criteria.some(({ metric }) => (summaryOf(metric)?.notApplicable ?? 0) > 0);
  return [
    table(
      [
        { title: 'Component' },
        { title: 'Weight', align: 'right' },
        { title: 'Mean', align: 'right' },
        { title: '', name: 'Interval' },
        { title: 'n', align: 'right', isOptional: true },
        { title: axisTitle(shareAxis), isOptional: true, isDrawing: true },
      ],
      criteria.map((criterion) => [
        [name(criterion.name), ...(criterion.required ? [span(' '), requiredMark] : [])],
        [span(formatWeight(criterion.weight), 'quiet')],
        ...componentCells(summaryOf(criterion.metric)),
      ]),
    ),
    ...(criteria.some(({ required }) => required)
      ? [paragraph([requiredMark, span(' required: no answer passes without full marks here', 'quiet')])]
      : []),
    note(
      isShared
        ? 'If a question has no expectation for a component, the other components share its weight.'
        : '',
    ),
  ];
}

const requiredMark = quoted('*', 'quiet');

function componentCells(summary: MetricSummary | undefined): Text[] {
  if (summary === undefined) return [[span(missing, 'quiet')]];
  const { unit } = summary;
  const { value } = shownValue({ ...summary, value: summary.estimate });
  const tone = unit === undefined ? shareTone(value.value) : undefined;
  return [
    ...meanCells(summary, tone),
    measuredCell(summary),
    unit === undefined ? plotShare(value, tone) : [],
  ];
}

/** Returns the mean and its interval: of a certified judge what people would say, with what the judge says next to it. */
function meanCells(
  { unit, estimate, ...corrections }: MetricSummary,
  tone?: Tone,
): [mean: Text, interval: Text] {
  const { value, said } = shownValue({ ...corrections, value: estimate });
  const limits = quantity(formatQuantityInterval(value, unit), unit, 'quiet');
  if (said === undefined) return [[quantity(formatQuantity(value.value, unit), unit, tone)], [limits]];
  const mean = value.value === null ? 'not corrected' : `corrected ${formatPercent(value.value)}`;
  const judge = span(`judge says ${formatPercent(said.value)}`, 'quiet');
  return [[span(mean, tone)], value.value === null ? [judge] : [limits, span(', ', 'quiet'), judge]];
}

/** Lays out the metrics that are measured but do not count; quantities such as latency with percentiles. */
export function extraTable({ run, target }: ReportedTarget): Block {
  const counted = new Set(countedCriteria(run.scorecard).map(({ metric }) => metric));
  const extras = target.metrics.filter((summary) => !counted.has(summary.metric) && hasSubject(summary));
  const columns: Column[] = [
    { title: counted.size > 0 ? 'Also measured' : 'Measured' },
    { title: 'Mean', align: 'right' },
    { title: '', name: 'Interval', isOptional: true },
    ...percentileNames.map((title): Column => ({ title, align: 'right' })),
    { title: 'n', align: 'right', isOptional: true },
  ];
  return { kind: 'table', columns, rows: extras.map(extraRow) };
}

/** Returns the row of values, and below them the limits of percentiles. */
function extraRow(summary: MetricSummary): Row {
  const { metric, unit, percentiles } = summary;
  const cells = [
    [name(metric)],
    ...meanCells(summary),
    ...percentileNames.map((each) =>
      percentiles === undefined ? [] : [quantity(formatPercentile(percentiles[each], unit), unit)],
    ),
    measuredCell(summary),
  ];
  if (percentiles === undefined) return { cells };
  const limits = percentileNames.map((each) => formatPercentileLimits(percentiles, each, unit));
  if (limits.every((text) => text === '')) return { cells };
  return { cells, below: [[], [], [], ...limits.map((text) => [quantity(text, unit, 'quiet')])] };
}

const percentileNames = ['p50', 'p90', 'p99'] as const;

function measuredCell({ scored, notApplicable, planned }: MetricSummary): Text {
  const asked = planned - notApplicable;
  return scored === asked ? [] : [span(`${formatCount(scored)}/${formatCount(asked)}`, 'fair')];
}

const mostCategories = 30;

/** Lays out the categories of a target, weakest first, each with its mean, the interval, and the number that passed. */
export function categoryBlocks({ run, target }: ReportedTarget): Block[] {
  const categories = weakestFirst(target);
  if (categories.length < 2 || target.counts.measured === 0 || run.scorecard === null) return [];
  const columns = [
    { title: 'Category, weakest first' },
    { title: 'Mean', align: 'right' },
    { title: '', name: 'Interval' },
    { title: 'Passed', align: 'right' },
    { title: axisTitle(shareAxis), isOptional: true, isDrawing: true },
    { title: 'Latency p50 / p90 / p99', align: 'right', isOptional: true },
  ] as const;
  const rows = categories
    .slice(0, mostCategories)
    .map((one) => categoryCellsOf(one, run.scorecard?.passMark));
  return [table(columns, rows), others(categories.length - rows.length), note(uncorrectedNote([target]))];
}

function others(count: number): Block {
  return note(count > 0 ? `… and ${formatCount(count)} more` : '');
}

function categoryCellsOf(summary: CategorySummary, passMark: number | undefined): Text[] {
  const { category, score, counts } = summary;
  const tone = shareTone(score.value, passMark);
  return [
    [name(category)],
    [span(formatPercent(score.value), tone)],
    [span(formatCautiousInterval(score) || 'not measured', 'quiet')],
    [span(formatCount(counts.passed)), span(`/${formatCount(counts.measured)}`, 'quiet')],
    plotShare(isInformative(score) ? score : { ...score, lower: null, upper: null }, tone),
    [span(latencyOf(summary), 'quiet')],
  ];
}

/** Lays out every metric by category; a terminal leaves out the last metrics when the width is too small. */
export function categoryMetricBlocks({ target }: ReportedTarget): Block[] {
  const all = categoryCells(target);
  if (all === undefined) return [];
  const columns: Column[] = [
    { title: 'By category' },
    ...all.metrics.map(
      (title, index): Column => ({ title, isQuoted: true, align: 'right', isOptional: index > 0 }),
    ),
  ];
  const rows = all.rows
    .slice(0, mostCategories)
    .map(({ category, cells }) => [
      [name(category)],
      ...cells.map(({ text, unit }) => [quantity(text, unit)]),
    ]);
  return [table(columns, rows), others(all.rows.length - rows.length), note(uncorrectedNote(target.metrics))];
}
