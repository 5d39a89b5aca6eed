import type { ReliabilityGroup } from '../../schema/reliability.ts';
import type { ReportedTarget } from '../findings.ts';
import { formatCount, formatInterval, formatPercent, formatPlural } from '../format-number.ts';
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
  return [
    ...setTable({ columns, rows }, width),
    ...(isUneven ? indented([span(note, 'quiet')], width, 2) : []),
    ...reliability.groups.flatMap((group) => groupLines(group, width)),
  ];
}

function groupLines({ passed, measured, cases, ids }: ReliabilityGroup, width: number): Line[] {
  const tone = passed === measured ? 'good' : passed === 0 ? 'bad' : 'fair';
  const others = cases - Math.min(cases, mostIds);
  const named = ids.slice(0, mostIds).join(', ');
  const more = others > 0 ? ` and ${formatCount(others)} more` : '';
  const first = [
    span('  '),
    whole(`${formatCount(passed)} of ${formatCount(measured)} passed`, tone),
    span(`  ${formatPlural(cases, 'case')}  `),
  ];
  return flow([span(named + more, 'quiet')], { width, first });
}
