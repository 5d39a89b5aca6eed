import type { ReportedTarget } from '../../report/findings.ts';
import {
  formatCount,
  formatInterval,
  formatPercent,
  formatPlural,
  formatPoints,
  formatWeight,
} from '../../report/format.ts';
import {
  adviceSentences,
  levelReasons,
  noiseSentences,
  ruleSentences,
} from '../../report/repeats-sentences.ts';
import { labelCounts } from '../../report/rows/category-cells.ts';
import { type IntervalRow, intervalRows, sharedIntervalRows } from '../../report/rows/interval-rows.ts';
import { isCounted } from '../../report/overview.ts';
import type { ReliabilityGroup } from '../../../core/schema/estimate.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Summary, TargetSummary } from '../../../core/schema/summary.ts';
import { flow, indented } from './flow.ts';
import { joined, type Line, span, whole } from './line.ts';
import { plotEstimate, plotTitle } from './metric-tables.ts';
import { setTable } from './table.ts';

/** Formats the number of trials with each outcome; nothing for a scorecard without outcomes. */
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

/** Formats how often each criterion was not met, and the average cost of that to the score. */
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

/** Formats how often metrics gave each of their labels. */
export function labelLines({ target }: ReportedTarget, width: number): Line[] {
  return target.metrics.flatMap(({ metric, labels }) => {
    if (labels === undefined) return [];
    const parts = labelCounts(labels).map(([label, count]) => [whole(`${label} ${formatCount(count)}`)]);
    return flow(joined(parts), { width, first: [span(`  ${metric}  `)] });
  });
}

const note =
  'n counts questions, with attempts averaged first; Measured is the share of the trials that should have been measured.';

/** Formats interval, n, clusters, coverage and method of every number of a target. */
export function intervalLines(run: Run, target: TargetSummary, width: number): Line[] {
  return [
    ...table(intervalRows(run, target), 'How sure', width),
    ...indented([span(note, 'quiet')], width, 2),
  ];
}

/** Formats the same for numbers that concern several targets. */
export function sharedIntervalLines(summary: Summary, width: number): Line[] {
  return table(sharedIntervalRows(summary), 'How sure, side by side', width);
}

function table(rows: readonly IntervalRow[], title: string, width: number): Line[] {
  if (rows.length === 0) return [];
  const isClustered = rows.some(({ clusters }) => clusters !== '');
  const columns = [
    { title },
    { title: 'Mean', align: 'right' },
    { title: '' },
    { title: 'n', align: 'right' },
    { title: 'Measured', align: 'right', isOptional: true },
    { title: isClustered ? 'Method (clusters)' : 'Method' },
    { title: '', isOptional: true },
  ] as const;
  return setTable({ columns, rows: rows.map(cells) }, width);
}

function cells({ name, value, interval, n, clusters, coverage, method, caution }: IntervalRow): Line[] {
  return [
    [span(name.map((part) => (typeof part === 'string' ? part : part.quoted)).join(''))],
    [span(value)],
    [span(interval === '' ? 'no interval' : interval, 'quiet')],
    [span(n)],
    [span(coverage)],
    [span(clusters === '' ? method : `${method} (${clusters})`, 'quiet')],
    [span(caution, 'fair')],
  ];
}

const mostIds = 12;

/** Formats the reliability over several attempts: pass@k and pass^k, and the cases by the number of attempts that passed. */
export function reliabilityLines({ target: { reliability } }: ReportedTarget, width: number): Line[] {
  if (reliability === undefined || reliability.groups.length === 0) return [];
  const rows = reliability.levels.map(({ k, any, all }) => [
    [span(formatCount(k))],
    [span(formatPercent(any.value))],
    [span(formatInterval(any), 'quiet')],
    [span(formatPercent(all.value))],
    [span(formatInterval(all), 'quiet')],
    [span(formatPlural(all.n, 'case'), 'quiet')],
  ]);
  const columns = [
    { title: 'Attempts' },
    { title: 'Any passes', align: 'right' },
    { title: 'pass@k' },
    { title: 'All pass', align: 'right' },
    { title: 'pass^k' },
    { title: 'n', align: 'right', isOptional: true },
  ] as const;
  const isUneven = new Set(reliability.levels.map(({ all }) => all.n)).size > 1;
  const note =
    'A case with fewer than k measured attempts does not count for pass@k and pass^k; n says how many cases count.';
  const isCurtailed = reliability.rule?.isCurtailed === true;
  const notes = isUneven && !isCurtailed ? [note] : levelReasons(reliability);
  return [
    ...ruleSentences(reliability).flatMap((sentence) => indented([span(sentence)], width, 2)),
    ...setTable({ columns, rows }, width),
    ...notes.flatMap((text) => indented([span(text, 'quiet')], width, 2)),
    ...reliability.groups.flatMap((group) => groupLines(group, width)),
  ];
}

/** Formats the shares of questions, agent and judge in the variance of scores, with advice. */
export function noiseLines({ target: { noise } }: ReportedTarget, width: number): Line[] {
  if (noise === undefined) return [];
  return [
    ...noiseSentences(noise, (name) => name).flatMap((text) => indented([span(text)], width, 2)),
    ...adviceSentences(noise).flatMap((text) => indented([span(text, 'quiet')], width, 2)),
  ];
}

function groupLines({ passed, measured, cases, verdict, ids }: ReliabilityGroup, width: number): Line[] {
  const isGood = verdict === undefined ? passed === measured : verdict === 'passed';
  const isBad = verdict === undefined ? passed === 0 : verdict === 'failed';
  const tone = isGood ? 'good' : isBad ? 'bad' : 'fair';
  const others = cases - Math.min(cases, mostIds);
  const named = ids.slice(0, mostIds).join(', ');
  const more = others > 0 ? ` and ${formatCount(others)} more` : '';
  const first = [
    span('  '),
    whole(`${formatCount(passed)} of ${formatCount(measured)} passed`, tone),
    span(verdict === undefined ? '' : `: ${verdict}`),
    span(`  ${formatPlural(cases, 'case')}  `),
  ];
  return flow([span(named + more, 'quiet')], { width, first });
}
