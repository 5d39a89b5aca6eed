import type { ReliabilityGroup } from '../../schema/reliability.ts';
import type { ReportedTarget } from '../../report/findings.ts';
import {
  adviceSentences,
  levelReasons,
  noiseSentences,
  ruleSentences,
} from '../../report/repeats-sentences.ts';
import {
  formatCount,
  formatInterval,
  formatPercent,
  formatPlural,
} from '../../report/format/format-number.ts';
import { flow, indented } from './flow.ts';
import { type Line, span, whole } from './line.ts';
import { setTable } from './table.ts';

const mostIds = 12;

/** How far a target can be relied on over several attempts: pass@k and pass^k, and the cases by how many attempts passed. */
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
    'A case with fewer than k measured attempts is left out of pass@k and pass^k; n says how many count.';
  const isCurtailed = reliability.rule?.isCurtailed === true;
  const notes = isUneven && !isCurtailed ? [note] : levelReasons(reliability);
  return [
    ...ruleSentences(reliability).flatMap((sentence) => indented([span(sentence)], width, 2)),
    ...setTable({ columns, rows }, width),
    ...notes.flatMap((text) => indented([span(text, 'quiet')], width, 2)),
    ...reliability.groups.flatMap((group) => groupLines(group, width)),
  ];
}

/** How much of the differences between scores is due to the questions, to the agent and to the judge, and what to do about it. */
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
