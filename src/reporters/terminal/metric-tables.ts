import type { Criterion } from '../../schema/scorecard-result.ts';
import type { MetricSummary } from '../../schema/summary.ts';
import { countedCriteria } from '../../report/rows/counted-criteria.ts';
import type { ReportedTarget } from '../../report/findings.ts';
import {
  formatCount,
  formatInterval,
  formatPercent,
  formatWeight,
  missing,
} from '../../report/format/format-number.ts';
import {
  formatPercentile,
  formatPercentileLimits,
  formatQuantity,
  formatQuantityInterval,
} from '../../report/format/format-quantity.ts';
import { hasSubject } from '../../report/has-subject.ts';
import { type Line, span } from './line.ts';
import { plotEstimate, plotTitle } from './plot.ts';
import { setTable } from './table.ts';
import { shareTone } from './tone.ts';

/** Every component that counts, with its weight, its mean, the interval and a drawing of both. */
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
    ...(hasRequired ? ['  * without this in full, no answer passes'] : []),
    ...(isShared ? ['  Where a case expects nothing of a component, the others have its weight.'] : []),
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

/** Metrics that are measured but do not count; latency and other quantities with their percentiles. */
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

/** The values, and below them the limits of percentiles. */
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
