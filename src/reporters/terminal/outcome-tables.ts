import { labelCounts } from '../../report/rows/label-counts.ts';
import type { ReportedTarget } from '../../report/findings.ts';
import {
  formatCount,
  formatInterval,
  formatPercent,
  formatPoints,
  formatWeight,
} from '../../report/format/format-number.ts';
import { isCounted } from '../../report/rows/counted-criteria.ts';
import { joined, type Line, span, whole } from './line.ts';
import { plotEstimate, plotTitle } from './plot.ts';
import { setTable } from './table.ts';
import { flow } from './flow.ts';

/** How many trials had each outcome; nothing for a scorecard without outcomes. */
export function outcomeTable({ run, target }: ReportedTarget, width: number): Line[] {
  const { outcomes = [] } = target;
  if (outcomes.length === 0 || target.counts.measured === 0) return [];
  const rows = outcomes.map(({ outcome, trials, share }) => [
    [span(outcome)],
    [span(formatCount(trials), trials === 0 ? 'quiet' : undefined)],
    [span(formatPercent(share.value))],
    [span(formatInterval(share), 'quiet')],
    plotEstimate(share, undefined),
  ]);
  const columns = [
    { title: 'Outcome' },
    { title: run.attempts > 1 ? 'Trials' : 'Answers', align: 'right' },
    { title: 'Share', align: 'right' },
    { title: '' },
    { title: plotTitle, isOptional: true },
  ] as const;
  return setTable({ columns, rows }, width);
}

/** How often each criterion was not met, and what that costs the score on average. */
export function criterionTable({ run, target }: ReportedTarget, width: number): Line[] {
  const criteria = (target.criteria ?? []).filter((criterion) =>
    isCounted(run.scorecard, criterion.criterion),
  );
  if (criteria.length === 0) return [];
  const rows = criteria.map(({ criterion, weight, unmet, measured, notMeasured, share }) => [
    [span(criterion)],
    [span(formatWeight(weight), 'quiet')],
    [span(formatCount(unmet), unmet > 0 ? 'bad' : 'good'), span(` of ${formatCount(measured)}`, 'quiet')],
    [span(formatPercent(share.value))],
    [span(formatInterval(share), 'quiet')],
    unmet === 0 || weight === 0 ? [] : [span(`−${formatPoints(weight * (share.value ?? unmet / measured))}`)],
    notMeasured === 0 ? [] : [span(`${formatCount(notMeasured)} not measured`, 'fair')],
  ]);
  const columns = [
    { title: 'Criterion' },
    { title: 'Weight', align: 'right' },
    { title: 'Not met', align: 'right' },
    { title: 'Share', align: 'right' },
    { title: '' },
    { title: 'Costs', align: 'right' },
    { title: '', isOptional: true },
  ] as const;
  return setTable({ columns, rows }, width);
}

/** How often metrics gave each of their classes. */
export function labelLines({ target }: ReportedTarget, width: number): Line[] {
  return target.metrics.flatMap(({ metric, labels }) => {
    if (labels === undefined) return [];
    const parts = labelCounts(labels).map(([label, count]) => [whole(`${label} ${formatCount(count)}`)]);
    return flow(joined(parts), { width, first: [span(`  ${metric}  `)] });
  });
}
