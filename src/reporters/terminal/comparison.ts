import type { TargetSummary } from '../../schema/summary.ts';
import type { ReportedTarget } from '../findings.ts';
import { formatCount, formatInterval, formatPercent } from '../format-number.ts';
import { formatQuantity } from '../format-quantity.ts';
import { type Line, span } from './line.ts';
import { plotEstimate, plotTitle } from './plot.ts';
import { setTable } from './table.ts';
import { shareTone } from './tone.ts';

/** Several targets side by side, in the order of the run; nothing for a single one. */
export function comparisonLines(reported: readonly ReportedTarget[], width: number): Line[] {
  if (reported.length < 2) return [];
  const columns = [
    { title: 'Target' },
    { title: 'Score', align: 'right' },
    { title: '' },
    { title: 'Passed', align: 'right' },
    { title: 'Errors', align: 'right' },
    { title: 'Latency p50', align: 'right', isOptional: true },
    { title: plotTitle, isOptional: true },
  ] as const;
  return [[], ...setTable({ columns, rows: reported.map(targetRow) }, width)];
}

function targetRow({ run, target, findings }: ReportedTarget): Line[] {
  const { score, counts } = target;
  const tone = shareTone(score.value, run.scorecard?.passMark);
  const errors = Math.max(findings.errors.total, counts.errors);
  return [
    [span(target.target)],
    [span(formatPercent(score.value), tone)],
    [span(formatInterval(score), 'quiet')],
    [span(formatCount(counts.passed)), span(`/${formatCount(counts.measured)}`, 'quiet')],
    [span(formatCount(errors), errors > 0 ? 'fault' : undefined)],
    latencyCell(target),
    plotEstimate(score, tone),
  ];
}

function latencyCell({ metrics }: TargetSummary): Line {
  const latency = metrics.find(({ unit, percentiles }) => unit === 'ms' && percentiles !== undefined);
  return latency === undefined ? [] : [span(formatQuantity(latency.percentiles?.p50, 'ms'))];
}
