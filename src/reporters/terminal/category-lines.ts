import type { CategorySummary } from '../../schema/summary.ts';
import { weakestFirst } from '../../report/advice.ts';
import { latencyOf } from '../../report/rows/category-cells.ts';
import { doubtedInterval, isTelling } from '../../report/doubt.ts';
import type { ReportedTarget } from '../../report/findings.ts';
import { formatCount, formatPercent } from '../../report/format/format-number.ts';
import { type Line, span } from './line.ts';
import { plotEstimate, plotTitle } from './plot.ts';
import { setTable } from './table.ts';
import { shareTone } from './tone.ts';

const mostCategories = 30;

/** The categories of a target, weakest first, each with its mean, how sure that is, and how many passed. */
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
    [span(doubtedInterval(score) || 'not measured', 'quiet')],
    [span(formatCount(counts.passed)), span(`/${formatCount(counts.measured)}`, 'quiet')],
    plotEstimate(isTelling(score) ? score : { ...score, lower: null, upper: null }, tone),
    [span(latencyOf(summary), 'quiet')],
  ];
}
