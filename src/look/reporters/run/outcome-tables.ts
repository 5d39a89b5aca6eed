import type { ReportedTarget } from '../../report/findings.ts';
import {
  formatCount,
  formatInterval,
  formatPercent,
  formatPlural,
  formatPoints,
  formatWeight,
} from '../../report/format.ts';
import { isCounted } from '../../report/overview.ts';
import {
  adviceSentences,
  levelReasons,
  noiseSentences,
  ruleSentences,
} from '../../report/repeats-sentences.ts';
import { labelCounts } from '../../report/rows/category-cells.ts';
import { type IntervalRow, intervalRows, sharedIntervalRows } from '../../report/rows/interval-rows.ts';
import type { Estimate, ReliabilityGroup } from '../../../core/schema/estimate.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Summary, TargetSummary } from '../../../core/schema/summary.ts';
import { type Block, type Item, list, paragraph, table, note } from '../blocks/block.ts';
import { axisTitle, plotShare, shareAxis } from '../blocks/plot.ts';
import { joined, name, phrase, quantity, quoted, span, type Text, whole } from '../blocks/text.ts';

/** Lays out the number of trials with each outcome; empty for a scorecard without outcomes. */
export function outcomeTable({ run, target }: ReportedTarget): Block {
  const outcomes = target.counts.measured === 0 ? [] : (target.outcomes ?? []);
  return table(
    [
      { title: 'Outcome' },
      { title: run.attempts > 1 ? 'Attempts' : 'Answers', align: 'right' },
      { title: 'Share', align: 'right' },
      { title: '', name: 'Interval' },
      { title: axisTitle(shareAxis), isOptional: true, isDrawing: true },
    ],
    outcomes.map(({ outcome, trials, share }) => [
      [name(outcome)],
      [span(formatCount(trials), trials === 0 ? 'quiet' : undefined)],
      [span(formatPercent(share.value))],
      [span(formatInterval(share), 'quiet')],
      plotShare(share, undefined),
    ]),
  );
}

/** Lays out how often each criterion was not met, and the average cost of that to the score. */
export function criterionTable({ run, target }: ReportedTarget): Block {
  const criteria = (target.criteria ?? []).filter(({ criterion }) => isCounted(run.scorecard, criterion));
  return table(
    [
      { title: 'Criterion' },
      { title: 'Weight', align: 'right' },
      { title: 'Not met', align: 'right' },
      { title: 'Share', align: 'right' },
      { title: '', name: 'Interval' },
      { title: 'Costs', align: 'right' },
      { title: '', isOptional: true },
    ],
    criteria.map(({ criterion, weight, unmet, measured, notMeasured, share }) => [
      [name(criterion)],
      [span(formatWeight(weight), 'quiet')],
      [span(formatCount(unmet), unmet > 0 ? 'bad' : 'good'), span(` of ${formatCount(measured)}`, 'quiet')],
      [span(formatPercent(share.value))],
      [span(formatInterval(share), 'quiet')],
      unmet === 0 || weight === 0
        ? []
        : [span(`−${formatPoints(weight * (share.value ?? unmet / measured))}`)],
      notMeasured === 0 ? [] : [span(`${formatCount(notMeasured)} not measured`, 'fair')],
    ]),
  );
}

/** Lays out how often metrics gave each of their labels. */
export function labelBlocks({ target }: ReportedTarget): Block[] {
  return target.metrics.flatMap(({ metric, labels }) => {
    if (labels === undefined) return [];
    const parts = labelCounts(labels).map(([label, count]) => [name(label), whole(` ${formatCount(count)}`)]);
    return [paragraph(joined(parts), { mark: [name(metric), span('  ')] })];
  });
}

const intervalNote =
  'n counts questions, with attempts averaged first; Measured is the share of the attempts that should have been measured.';

/** Lays out interval, n, clusters, coverage and method of every number of a target. */
export function intervalBlock(run: Run, target: TargetSummary): Block {
  const title = 'How sure each number is';
  const rows = intervalTable(intervalRows(run, target), 'How sure');
  return { kind: 'folded', title, blocks: [rows, note(intervalNote)] };
}

/** Lays out the same for numbers that concern several targets. */
export function sharedIntervalBlock(summary: Summary): Block {
  const rows = intervalTable(sharedIntervalRows(summary), 'How sure, side by side');
  return { kind: 'folded', title: 'How sure each difference is', blocks: [rows] };
}

function intervalTable(rows: readonly IntervalRow[], title: string): Block {
  const isClustered = rows.some(({ clusters }) => clusters !== '');
  return table(
    [
      { title },
      { title: 'Mean', align: 'right' },
      { title: '', name: 'Interval' },
      { title: 'n', align: 'right' },
      { title: 'Measured', align: 'right', isOptional: true },
      { title: isClustered ? 'Method (clusters)' : 'Method' },
      { title: '', isOptional: true },
      { title: 'Confidence', isOptional: true },
      { title: 'No interval since', isOptional: true },
    ],
    rows.map(intervalCells),
  );
}

function intervalCells(row: IntervalRow): Text[] {
  const { value, interval, reason, unit, n, clusters, coverage, method, confidence, caution } = row;
  return [
    phrase(row.name, undefined, 'plain'),
    [quantity(value, unit)],
    [interval === '' ? span('no interval', 'quiet') : quantity(interval, unit, 'quiet')],
    [span(n)],
    [span(coverage)],
    [span(clusters === '' ? method : `${method} (${clusters})`, 'quiet')],
    [span(caution, 'fair')],
    [span(interval === '' ? '' : confidence, 'quiet')],
    [span(interval === '' ? reason : '', 'quiet')],
  ];
}

const mostIds = 12;
const unevenNote =
  'A question with fewer than k measured attempts does not count for pass@k and pass^k; n says how many questions count.';

/** Lays out the reliability over several attempts: pass@k and pass^k, and the cases by the number of attempts that passed. */
export function reliabilityBlocks({ target: { reliability } }: ReportedTarget): Block[] {
  if (reliability === undefined || reliability.groups.length === 0) return [];
  const rows = reliability.levels.map(({ k, any, all }) => [
    [span(formatCount(k))],
    ...shareCells(any),
    ...shareCells(all),
    [span(formatPlural(all.n, 'question'), 'quiet')],
  ]);
  const isUneven = new Set(reliability.levels.map(({ all }) => all.n)).size > 1;
  const isCurtailed = reliability.rule?.isCurtailed === true;
  const notes = isUneven && !isCurtailed ? [unevenNote] : levelReasons(reliability);
  return [
    ...ruleSentences(reliability).map((sentence) => paragraph([span(sentence)])),
    table(
      [
        { title: 'Attempts' },
        { title: 'Any passes', align: 'right' },
        { title: 'pass@k' },
        { title: 'All pass', align: 'right' },
        { title: 'pass^k' },
        { title: 'n', align: 'right', isOptional: true },
      ],
      rows,
    ),
    ...notes.map((text) => note(text)),
    list(reliability.groups.map(groupItem)),
  ];
}

function shareCells(share: Estimate): [Text, Text] {
  return [[span(formatPercent(share.value))], [span(formatInterval(share), 'quiet')]];
}

/** Lays out the shares of questions, agent and judge in the variance of scores, with advice. */
export function noiseBlocks({ target: { noise } }: ReportedTarget): Block[] {
  if (noise === undefined) return [];
  return [
    ...noiseSentences(noise).map((sentence) => paragraph(phrase(sentence, undefined, 'plain'))),
    ...adviceSentences(noise).map((text) => note(text)),
  ];
}

function groupItem({ passed, measured, cases, verdict, ids }: ReliabilityGroup): Item {
  const isGood = verdict === undefined ? passed === measured : verdict === 'passed';
  const isBad = verdict === undefined ? passed === 0 : verdict === 'failed';
  const tone = isGood ? 'good' : isBad ? 'bad' : 'fair';
  const more = cases - Math.min(cases, mostIds);
  return {
    mark: [
      whole(`${formatCount(passed)} of ${formatCount(measured)} passed`, tone),
      span(verdict === undefined ? '' : `: ${verdict}`),
      span(`  ${formatPlural(cases, 'question')}  `),
    ],
    text: [
      ...joined(
        ids.slice(0, mostIds).map((id) => [quoted(id, 'quiet')]),
        ', ',
      ),
      ...(more > 0 ? [span(` and ${formatCount(more)} more`, 'quiet')] : []),
    ],
  };
}
