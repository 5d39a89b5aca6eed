import { faultHandlings } from '../../../core/schema/condition.ts';
import { displayWidth, shorten } from '../../../core/lib/text/terminal-text.ts';
import { cellName } from '../../report/grid/cell-name.ts';
import { formatCount } from '../../report/format.ts';
import {
  type RobustnessGroup,
  robustnessGroups,
  robustnessNote,
  type RobustnessRow,
} from '../../report/rows/robustness-rows.ts';
import {
  differenceTitle,
  markOf,
  type SideCell,
  sideNote,
  type SideRow,
  sideRows,
} from '../../report/rows/side-by-side.ts';
import { conditionUsage } from '../../report/usage-parts.ts';
import {
  type Block,
  type Column,
  gap,
  heading,
  list,
  paragraph,
  type Row,
  table,
  note,
} from '../blocks/block.ts';
import { joined, name, shareTone, span, type Text, type Tone, whole } from '../blocks/text.ts';
import type { ReportInput } from '../reporter.ts';

const widestTarget = 24;
const widestName = 24;
const leastCell = 14;
const mostCategories = 30;
const margin = 2;

/**
 * Lays out several targets side by side, in tables of as many targets as fit in a width; empty for a single one.
 * @param width - The columns of a terminal; infinite where there is no limit.
 */
export function sideBlocks({ run, summary }: ReportInput, width: number): Block[] {
  const rows = sideRows(run, summary);
  if (rows.length === 0) return [];
  const targets = summary.targets.map(({ target }) => cellName(run, target));
  const tables = spread(targets, width).flatMap(({ from, to, cellWidth }, index): Block[] => {
    const columns: Column[] = [
      { title: 'Side by side' },
      ...targets
        .slice(from, to)
        .map((target): Column => ({ title: shorten(target, cellWidth), isQuoted: true, align: 'right' })),
      ...(targets.length === 2
        ? [{ title: differenceTitle(targets), isQuoted: true, align: 'left', isOptional: true } as const]
        : []),
    ];
    const one: Block = { kind: 'table', columns, rows: setRows(rows, { from, to }, run.scorecard?.passMark) };
    return index === 0 ? [one] : [gap, one];
  });
  const others = rows.filter(({ group }) => group === 'category').length - mostCategories;
  const more = note(others > 0 ? `… and ${others} more categories` : '');
  return [...tables, more, gap, note(sideNote(rows))];
}

/** The targets of one table, and the width of their cells. */
interface Share {
  readonly from: number;
  readonly to: number;
  readonly cellWidth: number;
}

/** Spreads targets evenly over tables. A table has as many as fit with their numbers; names are shortened to the rest. */
function spread(targets: readonly string[], width: number): Share[] {
  const wanted = Math.max(leastCell, ...targets.map((target) => displayWidth(shorten(target, widestTarget))));
  const room = width - margin - widestName;
  const most = Math.max(1, Math.floor(room / (leastCell + margin)));
  const abreast = Math.ceil(targets.length / Math.ceil(targets.length / most));
  const cellWidth = Math.max(leastCell, Math.min(wanted, Math.floor(room / abreast) - margin));
  return Array.from({ length: Math.ceil(targets.length / abreast) }, (_, index) => {
    return { from: index * abreast, to: (index + 1) * abreast, cellWidth };
  });
}

function setRows(
  rows: readonly SideRow[],
  targets: Pick<Share, 'from' | 'to'>,
  passMark: number | undefined,
): Row[] {
  const set = (row: SideRow) => setRow(row, targets, passMark);
  const categories = rows.filter(({ group }) => group === 'category');
  const shown = categories.length < 2 ? [] : categories.slice(0, mostCategories);
  return [
    ...rows.filter(({ group }) => group !== 'category').map(set),
    ...(shown.length === 0 ? [] : [{ cells: [] }, { cells: [[span('Categories', 'quiet')]] }]),
    ...shown.map(set),
  ];
}

function setRow(row: SideRow, { from, to }: Pick<Share, 'from' | 'to'>, passMark: number | undefined): Row {
  const shown = row.cells.slice(from, to);
  const cells = [
    [typeof row.name === 'string' ? span(row.name) : name(row.name.quoted, undefined, widestName)],
    ...shown.map((cell) => valueCell(cell, row.group === 'overall' ? passMark : undefined)),
    [span(row.difference, shown.some(({ isBest }) => isBest) ? undefined : 'quiet')],
  ];
  if (shown.every(({ interval }) => interval === '')) return { cells };
  return { cells, below: [[], ...shown.map(({ interval }) => [span(`${interval}  `, 'quiet')])] };
}

/** Sets a value with space for the mark in every cell, so that numbers are aligned. */
function valueCell(cell: SideCell, passMark: number | undefined): Text {
  const value = { ...span(cell.text, shareTone(cell.share, passMark)), isStrong: cell.isBest };
  return [value, span(` ${markOf(cell)?.sign ?? ' '}`, cell.isBest ? 'good' : 'fair')];
}

/** Lays out the robustness of the targets to tool faults and perturbed questions; empty without conditions. */
export function robustnessBlocks(input: Pick<ReportInput, 'run' | 'summary'>): Block[] {
  const groups = robustnessGroups(input.summary.robustness);
  if (groups.length === 0) return [];
  const calls = conditionUsage(input).map((part) => [whole(part)]);
  return [
    heading(2, [span('Robustness', 'strong')]),
    ...groups.flatMap((group) => groupBlocks(group, groups.length > 1)),
    paragraph(joined(calls), { mark: [whole('Calls'), span('  ')] }),
    note(robustnessNote),
  ];
}

function groupBlocks({ target, faults, perturbations }: RobustnessGroup, isNamed: boolean): Block[] {
  return [
    ...(isNamed ? [paragraph([name(target)])] : []),
    faultTable(faults),
    ...(faults.length > 0 && perturbations.length > 0 ? [gap] : []),
    perturbationTable(perturbations),
    list([...faults, ...perturbations].flatMap(listings)),
  ];
}

function faultTable(rows: readonly RobustnessRow[]): Block {
  return table(
    [
      { title: 'Faults in tools' },
      ...faultHandlings.map(({ title }) => countColumn(title)),
      ...heldColumns,
      { ...countColumn('errors'), isOptional: true },
    ],
    rows.map((row) => [
      [name(row.name)],
      ...faultHandlings.map(({ rating }, index) => countCell(row.handling[index] ?? 0, rating)),
      ...heldCells(row),
      countCell(row.errors, 'fault'),
    ]),
  );
}

function perturbationTable(rows: readonly RobustnessRow[]): Block {
  return table(
    [{ title: 'Perturbed questions' }, ...['broke', 'mended', 'errors'].map(countColumn), ...heldColumns],
    rows.map((row) => [
      [name(row.name)],
      countCell(row.broken, 'bad'),
      countCell(row.mended, 'good'),
      countCell(row.errors, 'fault'),
      ...heldCells(row),
    ]),
  );
}

function countColumn(title: string): Column {
  return { title, name: title.charAt(0).toUpperCase() + title.slice(1), align: 'right' };
}

const heldColumns: readonly Column[] = [
  countColumn('held'),
  { title: '', name: 'Interval', isOptional: true },
  { ...countColumn('compared'), isOptional: true },
  { title: 'others', name: 'Others', isOptional: true },
];

function heldCells({ held, interval, share, compared, missing }: RobustnessRow): Text[] {
  return [
    [span(held, shareTone(share))],
    [span(interval, 'quiet')],
    [span(compared, 'quiet')],
    [span(missing, 'quiet')],
  ];
}

function countCell(count: number, tone: Tone | undefined): Text {
  return [span(formatCount(count), count === 0 ? 'quiet' : tone)];
}

function listings({ listings: all }: RobustnessRow) {
  return all.map(({ title, ids, more }) => {
    const parts = [...ids.map((id) => [name(id)]), ...(more === '' ? [] : [[whole(more, 'quiet')]])];
    return { mark: [name(title, 'quiet'), span('  ')], text: joined(parts, ', ') };
  });
}
