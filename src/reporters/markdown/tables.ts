import type { MetricSummary } from '../../schema/summary.ts';
import { weakestFirst } from '../../report/advice.ts';
import { averagedNote } from '../../report/averaged-share.ts';
import { categoryCells } from '../../report/rows/category-cells.ts';
import { countedCriteria } from '../../report/rows/counted-criteria.ts';
import { doubtedInterval } from '../../report/doubt.ts';
import type { ReportedTarget } from '../../report/findings.ts';
import {
  formatCount,
  formatInterval,
  formatPercent,
  formatWeight,
  missing,
} from '../../report/format/format-number.ts';
import {
  formatPercentileWithLimits,
  formatQuantity,
  formatQuantityInterval,
} from '../../report/format/format-quantity.ts';
import { gradeCounts, standingOf } from '../../report/rows/grade-counts.ts';
import { hasSubject } from '../../report/has-subject.ts';
import { errorCount } from '../../report/headline.ts';
import { usageParts } from '../../report/usage-parts.ts';
import { weightedParts } from '../../report/weighted-parts.ts';
import { codeSpan, setPhrase, setTable } from './code-span.ts';

const mostCategories = 30;

/** Passed, failed and errors, with the grades, in one line of prose. */
export function outcomeSentence(reported: ReportedTarget): string {
  const { run, target } = reported;
  const { counts, passRate, errorRate } = target;
  const errors = errorCount(counts);
  const grades = gradeCounts(run, target).map(
    ({ grade, count, meaning }) =>
      `${codeSpan(grade)} ${formatCount(count)}${meaning === '' ? '' : ` (${codeSpan(meaning)})`}`,
  );
  const outcomes = [
    `passed ${formatCount(counts.passed)} of ${formatCount(counts.measured)}, ${formatPercent(passRate.value)} ${formatInterval(passRate)}`,
    `failed ${formatCount(counts.failed)}`,
  ];
  const parts = [
    ...(run.scorecard === null ? [] : outcomes),
    `errors ${formatCount(errors)}, ${formatPercent(errorRate.value)}`,
    ...(grades.length === 0 ? [] : [`grades ${grades.join(', ')}`]),
  ];
  const standing = standingOf(run, target);
  const meaning = standing === undefined ? '' : `\n${codeSpan(standing, 300)}\n`;
  const averaged = averagedNote(reported);
  const note = averaged === undefined ? '' : `\n${averaged}\n`;
  return `${parts.map((part) => part.trim()).join(' · ')}\n${note}${meaning}`;
}

/** The score and the pass rate with the categories weighted, in one line of prose; empty where the configuration weighs none. */
export function weightedSentence({ target }: ReportedTarget): string {
  const parts = weightedParts(target).map(setPhrase);
  return parts.length === 0 ? '' : `weighted: ${parts.join(' · ')}\n`;
}

/** Calls, retries, tokens and cost, in one line of prose. */
export function usageSentence({ run, target }: ReportedTarget): string {
  return `calls ${usageParts(run, target.usage).join(' · ')}\n`;
}

/** The components that count; empty without a scorecard. */
export function componentTable({ run, target }: ReportedTarget): string {
  const criteria = countedCriteria(run.scorecard);
  if (criteria.length === 0 || target.criteria !== undefined) return '';
  const rows = criteria.map(({ name, metric, weight, required }) => {
    const summary = target.metrics.find((candidate) => candidate.metric === metric);
    return [
      required ? `${codeSpan(name)} (required)` : codeSpan(name),
      formatWeight(weight),
      ...meanCells(summary),
    ];
  });
  return setTable(['Component', 'Weight:', 'Mean:', 'Interval'], rows);
}

/** The mean of a component and its interval, in per cent or in its unit. */
function meanCells(summary: MetricSummary | undefined): string[] {
  if (summary === undefined) return [formatPercent(undefined), ''];
  const { estimate, unit } = summary;
  if (unit === undefined) return [formatPercent(estimate.value), formatInterval(estimate)];
  return [
    inUnit(formatQuantity(estimate.value, unit), unit),
    inUnit(formatQuantityInterval(estimate, unit), unit),
  ];
}

/** Metrics that are measured but do not count; empty when there are none. */
export function extraTable({ run, target }: ReportedTarget): string {
  const counted = new Set(countedCriteria(run.scorecard).map(({ metric }) => metric));
  const extras = target.metrics.filter((summary) => !counted.has(summary.metric) && hasSubject(summary));
  if (extras.length === 0) return '';
  const rows = extras.map(({ metric, unit, estimate, percentiles }) => [
    codeSpan(metric),
    inUnit(formatQuantity(estimate.value, unit), unit),
    inUnit(formatQuantityInterval(estimate, unit), unit),
    ...(['p50', 'p90', 'p99'] as const).map((name) =>
      inUnit(formatPercentileWithLimits(percentiles, name, unit), unit),
    ),
  ]);
  return setTable(['Also measured', 'Mean:', 'Interval', 'p50:', 'p90:', 'p99:'], rows);
}

/** Units come from metrics of anyone's making: an unusual one is set as code. */
function inUnit(quantity: string, unit = ''): string {
  return quantity === '' || /^\p{L}{0,20}$/u.test(unit) ? quantity : codeSpan(quantity);
}

/** The categories, weakest first; empty when there is only one. */
export function categoryTable({ run, target }: ReportedTarget): string {
  const categories = weakestFirst(target);
  if (categories.length < 2 || target.counts.measured === 0 || run.scorecard === null) return '';
  const rows = categories
    .slice(0, mostCategories)
    .map(({ category, score, counts }) => [
      codeSpan(category),
      formatPercent(score.value),
      doubtedInterval(score) || missing,
      `${formatCount(counts.passed)}/${formatCount(counts.measured)}`,
    ]);
  const others = categories.length - rows.length;
  const more = others > 0 ? `\n… and ${formatCount(others)} more categories.\n` : '';
  return setTable(['Category', 'Mean:', 'Interval', 'Passed:'], rows) + more;
}

/** Every metric over every category. */
export function categoryMetricTable({ target }: ReportedTarget): string {
  const table = categoryCells(target);
  if (table === undefined) return '';
  const rows = table.rows
    .slice(0, mostCategories)
    .map(({ category, cells }) => [codeSpan(category), ...cells.map(({ text, unit }) => inUnit(text, unit))]);
  const head = ['Category', ...table.metrics.map((metric) => `${codeSpan(metric)}:`)];
  return `<details><summary>Metrics by category</summary>\n\n${setTable(head, rows)}\n</details>\n`;
}
