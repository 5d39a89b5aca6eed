import { displayWidth, shorten } from '../../../core/lib/text/terminal-text.ts';
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
import { faultHandlings } from '../../../core/schema/condition.ts';
import type { ReportInput } from '../reporter.ts';
import { flow, indented } from './flow.ts';
import { joined, type Line, shareTone, span, type Tone, whole } from './line.ts';
import { type Column, setTable } from './table.ts';

const widestTarget = 24;
const widestName = 24;
const leastCell = 14;
const mostCategories = 30;
const gap = 2;

/** Formats several targets side by side, in blocks when the width does not fit all; nothing for a single one. */
export function comparisonLines({ run, summary }: ReportInput, width: number): Line[] {
  const rows = sideRows(run, summary);
  if (rows.length === 0) return [];
  const targets = summary.targets.map(({ target }) => target);
  const wanted = Math.max(leastCell, ...targets.map((target) => displayWidth(shorten(target, widestTarget))));
  // A block has as many targets as fit with their numbers; names are shortened to the remaining width.
  const room = width - gap - widestName;
  const most = Math.max(1, Math.floor(room / (leastCell + gap)));
  const abreast = Math.ceil(targets.length / Math.ceil(targets.length / most));
  const cellWidth = Math.max(leastCell, Math.min(wanted, Math.floor(room / abreast) - gap));
  const blocks = Array.from({ length: Math.ceil(targets.length / abreast) }, (_, index) => index * abreast);
  const passMark = run.scorecard?.passMark;
  return [
    [],
    ...blocks.flatMap((from, index) => [
      ...(index === 0 ? [] : [[]]),
      ...block({ rows, targets, from, to: from + abreast, cellWidth, passMark }, width),
    ]),
    [],
    ...indented([span(sideNote(rows), 'quiet')], width, gap),
  ];
}

/** The rows of a table for the targets from `from` to before `to`. */
interface Block {
  readonly rows: readonly SideRow[];
  readonly targets: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly cellWidth: number;
  readonly passMark: number | undefined;
}

function block({ rows, targets, from, to, cellWidth, passMark }: Block, width: number): Line[] {
  const shown = targets.slice(from, to);
  const columns: Column[] = [
    { title: 'Side by side' },
    ...shown.map((target): Column => ({ title: shorten(target, cellWidth), align: 'right' })),
    ...(targets.length === 2
      ? [{ title: differenceTitle(targets), align: 'left', isOptional: true } as const]
      : []),
  ];
  const overall = rows.filter(({ group }) => group !== 'category');
  const categories = rows.filter(({ group }) => group === 'category');
  const others = categories.length - mostCategories;
  const blank = columns.map((): Line => []);
  const titles = [blank, [[span('Categories', 'quiet')]]];
  const setRows = [
    ...overall.flatMap((row) => rowLines(row, from, to, passMark)),
    ...(categories.length < 2 ? [] : titles),
    ...(categories.length < 2 ? [] : categories.slice(0, mostCategories)).flatMap((row) =>
      rowLines(row, from, to, passMark),
    ),
  ];
  const padded = setRows.map((row) => columns.map((_, index) => row[index] ?? []));
  const more = others > 0 ? [[span(`  … and ${others} more categories`, 'quiet')]] : [];
  return [...setTable({ columns, rows: padded }, width), ...more];
}

function rowLines(row: SideRow, from: number, to: number, passMark: number | undefined): Line[][] {
  const cells = row.cells.slice(from, to);
  const name = typeof row.name === 'string' ? row.name : row.name.quoted;
  const first = [
    [span(shorten(name, widestName))],
    ...cells.map((cell) => valueCell(cell, row.group === 'overall' ? passMark : undefined)),
    [span(row.difference, cells.some(({ isBest }) => isBest) ? undefined : 'quiet')],
  ];
  if (cells.every(({ interval }) => interval === '')) return [first];
  return [first, [[], ...cells.map(({ interval }) => [span(`${interval}  `, 'quiet')])]];
}

/** Formats a value with space for the mark in every cell, so that numbers are aligned. */
function valueCell(cell: SideCell, passMark: number | undefined): Line {
  const value = { ...span(cell.text, shareTone(cell.share, passMark)), isStrong: cell.isBest };
  return [value, span(` ${markOf(cell)?.sign ?? ' '}`, cell.isBest ? 'good' : 'fair')];
}

/** Formats the robustness of the targets to tool faults and perturbed questions; nothing without conditions. */
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

function faultTable(rows: readonly RobustnessRow[]) {
  const columns: Column[] = [
    { title: 'Faults in tools' },
    ...faultHandlings.map(({ title }): Column => ({ title, align: 'right' })),
    ...heldColumns,
    { title: 'errors', align: 'right', isOptional: true },
  ];
  return {
    columns,
    rows: rows.map((row) => [
      [span(row.name)],
      ...faultHandlings.map(({ rating }, index) => countCell(row.handling[index] ?? 0, rating)),
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
