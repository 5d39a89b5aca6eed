import { conditionUsage } from '../../report/condition-usage.ts';
import { formatCount } from '../../report/format/format-number.ts';
import type { ReportInput } from '../reporter.ts';
import {
  handlings,
  type RobustnessGroup,
  robustnessGroups,
  robustnessNote,
  type RobustnessRow,
} from '../../report/rows/robustness-rows.ts';
import { flow, indented } from './flow.ts';
import { joined, type Line, span, type Tone, whole } from './line.ts';
import { type Column, setTable } from './table.ts';
import { shareTone } from './tone.ts';

/** How the targets stand up to faults in their tools and to questions put in another way; nothing without such. */
export function robustnessLines(input: Pick<ReportInput, 'run' | 'summary'>, width: number): Line[] {
  const groups = robustnessGroups(input.summary.robustness);
  if (groups.length === 0) return [];
  const calls = conditionUsage(input).map((part) => [whole(part)]);
  return [
    [span('Robustness', 'strong')],
    ...groups.flatMap((group) => groupLines(group, groups.length > 1, width)),
    ...flow(joined(calls), { width, first: [span('  Calls  ')] }),
    ...indented([span(robustnessNote, 'quiet')], width, 2),
  ];
}

function groupLines(
  { target, faults, perturbations }: RobustnessGroup,
  isNamed: boolean,
  width: number,
): Line[] {
  const title = isNamed ? [indented([span(target)], width, 2)].flat() : [];
  const tables = [
    ...(faults.length > 0 ? [setTable(faultTable(faults), width)] : []),
    ...(perturbations.length > 0 ? [setTable(perturbationTable(perturbations), width)] : []),
  ];
  const listed = [...faults, ...perturbations].flatMap((row) => listingLines(row, width));
  return [...title, ...tables.flatMap((lines, index) => (index === 0 ? lines : [[], ...lines])), ...listed];
}

const handlingTones: readonly Tone[] = ['good', 'good', 'fair', 'bad', 'bad'];

function faultTable(rows: readonly RobustnessRow[]) {
  const columns: Column[] = [
    { title: 'Faults in tools' },
    ...handlings.map(([, title]): Column => ({ title, align: 'right' })),
    ...heldColumns,
    { title: 'errors', align: 'right', isOptional: true },
  ];
  return {
    columns,
    rows: rows.map((row) => [
      [span(row.name)],
      ...handlings.map((_, index) => countCell(row.handling[index] ?? 0, handlingTones[index])),
      ...heldCells(row),
      countCell(row.errors, 'fault'),
    ]),
  };
}

function perturbationTable(rows: readonly RobustnessRow[]) {
  const columns: Column[] = [
    { title: 'Perturbed questions' },
    { title: 'broke', align: 'right' },
    { title: 'mended', align: 'right' },
    { title: 'errors', align: 'right' },
    ...heldColumns,
  ];
  return {
    columns,
    rows: rows.map((row) => [
      [span(row.name)],
      countCell(row.broken, 'bad'),
      countCell(row.mended, 'good'),
      countCell(row.errors, 'fault'),
      ...heldCells(row),
    ]),
  };
}

const heldColumns: readonly Column[] = [
  { title: 'held', align: 'right' },
  { title: '', isOptional: true },
  { title: 'compared', align: 'right', isOptional: true },
  { title: 'others', isOptional: true },
];

function heldCells({ held, interval, share, compared, missing }: RobustnessRow): Line[] {
  return [
    [span(held, shareTone(share))],
    [span(interval, 'quiet')],
    [span(compared, 'quiet')],
    [span(missing, 'quiet')],
  ];
}

function countCell(count: number, tone: Tone | undefined): Line {
  return [span(formatCount(count), count === 0 ? 'quiet' : tone)];
}

function listingLines({ listings }: RobustnessRow, width: number): Line[] {
  return listings.flatMap(({ title, ids, more }) => {
    const parts = [...ids.map((id) => [whole(id)]), ...(more === '' ? [] : [[whole(more, 'quiet')]])];
    return flow(joined(parts, ', '), { width, first: [span(`  ${title}  `, 'quiet')] });
  });
}
