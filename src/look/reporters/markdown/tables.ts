import { weakestFirst } from '../../report/advice.ts';
import { formatCautiousInterval } from '../../report/certainty.ts';
import type { ReportedTarget } from '../../report/findings.ts';
import {
  formatCount,
  formatInterval,
  formatPercent,
  formatPercentileWithLimits,
  formatPlural,
  formatPoints,
  formatQuantity,
  formatQuantityInterval,
  formatWeight,
  missing,
} from '../../report/format.ts';
import { errorCount, errorKinds } from '../../report/headline.ts';
import {
  averagedNote,
  countedCriteria,
  describeGrade,
  gradeCounts,
  isCounted,
  weightedParts,
} from '../../report/overview.ts';
import {
  adviceSentences,
  levelReasons,
  noiseSentences,
  ruleSentences,
} from '../../report/repeats-sentences.ts';
import { categoryCells, hasSubject, labelCounts } from '../../report/rows/category-cells.ts';
import { type IntervalRow, intervalRows, sharedIntervalRows } from '../../report/rows/interval-rows.ts';
import { usageParts } from '../../report/usage-parts.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { MetricSummary, Summary, TargetSummary } from '../../../core/schema/summary.ts';
import { codeSpan, quantityText, setPhrase, setTable } from './code-span.ts';

const mostCategories = 30;

/** Formats the counts of passed, failed and errors, with the grades, in one line. */
export function outcomeSentence(reported: ReportedTarget): string {
  const { run, target } = reported;
  const { counts, passRate, errorRate } = target;
  const errors = errorCount(counts);
  const kinds = errorKinds(counts);
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
    `errors ${formatCount(errors)}, ${formatPercent(errorRate.value)}${kinds === undefined ? '' : ` (${kinds})`}`,
    ...(grades.length === 0 ? [] : [`grades ${grades.join(', ')}`]),
  ];
  const standing = describeGrade(run, target);
  const meaning = standing === undefined ? '' : `\n${codeSpan(standing, 300)}\n`;
  const averaged = averagedNote(reported);
  const note = averaged === undefined ? '' : `\n${averaged}\n`;
  return `${parts.map((part) => part.trim()).join(' · ')}\n${note}${meaning}`;
}

/** Formats the score and the pass rate with weighted categories in one line; empty without weights in the config. */
export function weightedSentence({ target }: ReportedTarget): string {
  const parts = weightedParts(target).map(setPhrase);
  return parts.length === 0 ? '' : `weighted: ${parts.join(' · ')}\n`;
}

/** Formats calls, retries, tokens and cost in one line. */
export function usageSentence({ run, target }: ReportedTarget): string {
  return `calls ${usageParts(run, target.usage).join(' · ')}\n`;
}

/** Formats the components that count; empty without a scorecard. */
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

/** Returns the cells for the mean of a component and its interval, in per cent or in its unit. */
function meanCells(summary: MetricSummary | undefined): string[] {
  if (summary === undefined) return [formatPercent(undefined), ''];
  const { estimate, unit } = summary;
  if (unit === undefined) return [formatPercent(estimate.value), formatInterval(estimate)];
  return [
    quantityText(formatQuantity(estimate.value, unit), unit),
    quantityText(formatQuantityInterval(estimate, unit), unit),
  ];
}

/** Formats the metrics that are measured but do not count; empty when there are none. */
export function extraTable({ run, target }: ReportedTarget): string {
  const counted = new Set(countedCriteria(run.scorecard).map(({ metric }) => metric));
  const extras = target.metrics.filter((summary) => !counted.has(summary.metric) && hasSubject(summary));
  if (extras.length === 0) return '';
  const rows = extras.map(({ metric, unit, estimate, percentiles }) => [
    codeSpan(metric),
    quantityText(formatQuantity(estimate.value, unit), unit),
    quantityText(formatQuantityInterval(estimate, unit), unit),
    ...(['p50', 'p90', 'p99'] as const).map((name) =>
      quantityText(formatPercentileWithLimits(percentiles, name, unit), unit),
    ),
  ]);
  return setTable(['Also measured', 'Mean:', 'Interval', 'p50:', 'p90:', 'p99:'], rows);
}

/** Formats the categories, weakest first; empty when there is only one. */
export function categoryTable({ run, target }: ReportedTarget): string {
  const categories = weakestFirst(target);
  if (categories.length < 2 || target.counts.measured === 0 || run.scorecard === null) return '';
  const rows = categories
    .slice(0, mostCategories)
    .map(({ category, score, counts }) => [
      codeSpan(category),
      formatPercent(score.value),
      formatCautiousInterval(score) || missing,
      `${formatCount(counts.passed)}/${formatCount(counts.measured)}`,
    ]);
  const others = categories.length - rows.length;
  const more = others > 0 ? `\n… and ${formatCount(others)} more categories.\n` : '';
  return setTable(['Category', 'Mean:', 'Interval', 'Passed:'], rows) + more;
}

/** Formats every metric by category in a collapsed block. */
export function categoryMetricTable({ target }: ReportedTarget): string {
  const table = categoryCells(target);
  if (table === undefined) return '';
  const rows = table.rows
    .slice(0, mostCategories)
    .map(({ category, cells }) => [
      codeSpan(category),
      ...cells.map(({ text, unit }) => quantityText(text, unit)),
    ]);
  const head = ['Category', ...table.metrics.map((metric) => `${codeSpan(metric)}:`)];
  return `<details><summary>Metrics by category</summary>\n\n${setTable(head, rows)}\n</details>\n`;
}

/** Formats interval, n, coverage and method of every number of a target in a collapsed block. */
export function intervalText(run: Run, target: TargetSummary): string {
  return folded(intervalRows(run, target), 'How sure each number is');
}

/** Formats the same for numbers that concern several targets. */
export function sharedIntervalText(summary: Summary): string {
  return folded(sharedIntervalRows(summary), 'How sure each difference is');
}

function folded(rows: readonly IntervalRow[], title: string): string {
  if (rows.length === 0) return '';
  const titles = ['', 'Mean:', 'Interval', 'n:', 'Clusters:', 'Measured:', 'Method', ''];
  return `<details><summary>${title}</summary>\n\n${setTable(titles, rows.map(cells))}\n</details>\n`;
}

function cells(row: IntervalRow): string[] {
  const { name, value, interval, reason, unit, n, clusters, coverage, method, confidence, caution } = row;
  const limits = interval === '' ? `none: ${reason}` : `${quantityText(interval, unit)} ${confidence}`;
  return [setPhrase(name), quantityText(value, unit), limits, n, clusters, coverage, method, caution];
}

const mostIds = 12;

/** Formats the number of trials with each outcome; empty for a scorecard without outcomes. */
export function outcomeTable({ target }: ReportedTarget): string {
  const { outcomes = [] } = target;
  if (outcomes.length === 0 || target.counts.measured === 0) return '';
  const rows = outcomes.map(({ outcome, trials, share }) => [
    codeSpan(outcome),
    formatCount(trials),
    formatPercent(share.value),
    formatInterval(share),
  ]);
  return setTable(['Outcome', 'Trials:', 'Share:', 'Interval'], rows);
}

/** Formats how often each criterion was not met, and the average cost of that to the score. */
export function criterionTable({ run, target }: ReportedTarget): string {
  const criteria = (target.criteria ?? []).filter(({ criterion }) => isCounted(run.scorecard, criterion));
  if (criteria.length === 0) return '';
  const rows = criteria.map(({ criterion, weight, unmet, measured, notMeasured, share }) => [
    codeSpan(criterion),
    formatWeight(weight),
    `${formatCount(unmet)} of ${formatCount(measured)}${notMeasured === 0 ? '' : `, ${formatCount(notMeasured)} not measured`}`,
    `${formatPercent(share.value)} ${formatInterval(share)}`.trim(),
    unmet === 0 || weight === 0 ? '' : `−${formatPoints(weight * (share.value ?? unmet / measured))}`,
  ]);
  return setTable(['Criterion', 'Weight:', 'Not met:', 'Share', 'Costs:'], rows);
}

/** Formats pass@k and pass^k, and the cases by the number of their attempts that passed. */
export function reliabilityText({ target: { reliability } }: ReportedTarget): string {
  if (reliability === undefined || reliability.groups.length === 0) return '';
  const rows = reliability.levels.map(({ k, any, all }) => [
    formatCount(k),
    `${formatPercent(any.value)} ${formatInterval(any)}`.trim(),
    `${formatPercent(all.value)} ${formatInterval(all)}`.trim(),
    formatCount(all.n),
  ]);
  const groups = reliability.groups.map(({ passed, measured, cases, verdict, ids }) => {
    const named = ids.slice(0, mostIds).map((id) => codeSpan(id));
    const more = cases > named.length ? ` and ${formatCount(cases - named.length)} more` : '';
    const outcome = verdict === undefined ? '' : `, ${verdict}`;
    return `- ${formatCount(passed)} of ${formatCount(measured)} passed${outcome}: ${formatPlural(cases, 'case')}: ${named.join(', ')}${more}\n`;
  });
  const table = setTable(['Attempts (k):', 'Any passes (pass@k)', 'All pass (pass^k)', 'Cases:'], rows);
  const sentences = [...ruleSentences(reliability), ...levelReasons(reliability)].map(
    (text) => `${text}\n\n`,
  );
  return `${sentences.join('')}${table}\n<details><summary>Cases by attempts that passed</summary>\n\n${groups.join('')}\n</details>\n`;
}

/** Formats the shares of questions, agent and judge in the variance of scores, with advice. */
export function noiseText({ target: { noise } }: ReportedTarget): string {
  if (noise === undefined) return '';
  const lines = noiseSentences(noise, codeSpan).map((sentence) => `- ${sentence}\n`);
  const advice = adviceSentences(noise);
  return `${lines.join('')}${advice.length === 0 ? '' : `\n${advice.join(' ')}\n`}`;
}

/** Formats how often metrics gave each of their labels. */
export function labelText({ target }: ReportedTarget): string {
  return target.metrics
    .flatMap(({ metric, labels }) => {
      if (labels === undefined) return [];
      const counts = labelCounts(labels).map(([label, count]) => `${codeSpan(label)} ${formatCount(count)}`);
      return [`${codeSpan(metric)}: ${counts.join(' · ')}\n`];
    })
    .join('\n');
}
