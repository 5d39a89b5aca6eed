import { canContinueLine } from '../../../core/lib/text/quote-for-shell.ts';
import { firstUnits, wrap } from '../../../core/lib/text/terminal-text.ts';
import { formatCount, formatPlural } from '../../report/format.ts';
import type { ReportView } from '../reporter.ts';
import type { Block, Command, Excerpt, Item, List, Side, Sides } from './block.ts';
import { labelWidth, type Place, setEntry, shown } from './entry.ts';
import { flow } from './flow.ts';
import { renderLine } from './line.ts';
import { setTable } from './table.ts';
import { span, type Text, textWidth, whole } from './text.ts';

const narrowest = 40;
const widest = 200;

/** Returns the columns that reports use of a terminal. */
export function usableWidth(width: number): number {
  return Number.isFinite(width) ? Math.min(widest, Math.max(narrowest, Math.floor(width))) : 80;
}

/**
 * Renders blocks for a terminal. No line is wider than the terminal, and no text in them can control it: `renderLine`, through
 * which every line goes, escapes what could.
 */
export function renderTerminal(blocks: Iterable<Block>, view: Pick<ReportView, 'width' | 'color'>): string {
  return Array.from(blocks, (block) => renderBlock(block, view)).join('');
}

/** Renders one block of a report that is written piece by piece. */
export function renderBlock(block: Block, view: Pick<ReportView, 'width' | 'color'>): string {
  return setBlock(block, view.width)
    .map((line) => renderLine(line, view))
    .join('');
}

const indentation = 2;

function setBlock(block: Block, width: number): Text[] {
  switch (block.kind) {
    case 'gap':
      return [[]];
    case 'rule':
      return [[span('─'.repeat(width), 'quiet')]];
    case 'heading':
      return [block.level === 3 ? [span(' '.repeat(indentation)), ...block.text] : block.text];
    case 'paragraph':
      return setEntry(block, { width, indent: block.indent ?? indentation });
    case 'list':
      return setList(block, width);
    case 'table':
      return block.rows.length === 0 ? [] : setTable(block, width);
    case 'field':
      return flow(shown(block.text), { width, first: startOf(block.label) });
    case 'excerpt':
      return setExcerpt(block, width);
    case 'command':
      return setCommand(block, width);
    case 'sides':
      return setSides(block, width);
    case 'folded':
      return block.isHidden === true ? [] : block.blocks.flatMap((one) => setBlock(one, width));
    case 'section': {
      const lines = block.blocks.flatMap((one) => setBlock(one, width));
      return lines.length === 0 ? [] : [[], ...lines];
    }
  }
}

function setList({ items, isNumbered = false, indent = indentation }: List, width: number): Text[] {
  return items.flatMap((item, index) => {
    const mark = isNumbered ? [span(`${index + 1}  `, 'quiet')] : item.mark;
    return setItem({ ...item, mark }, { width, indent, mostLines: item.mostLines });
  });
}

function setItem(item: Item, place: Place): Text[] {
  const { label, mark = [], details = [] } = item;
  const before = textWidth(mark) + (label === undefined ? 0 : Math.max(labelWidth, label.length + 1));
  const indent = place.indent + (before === 0 ? indentation : before);
  return [
    ...setEntry(item, place),
    ...details.flatMap((detail) => setEntry(detail, { width: place.width, indent })),
  ];
}

/** The indentation of labelled texts about a single answer, and the width of their labels. */
const [fieldIndent, fieldWidth] = [4, 10] as const;

function startOf(label: string): Text {
  return [span(' '.repeat(fieldIndent)), span(label.padEnd(fieldWidth), 'quiet')];
}

function setExcerpt({ label, text, most = Infinity, tone }: Excerpt, width: number): Text[] {
  if (text.trim() === '') return [];
  const room = width - fieldWidth - fieldIndent;
  // Cutting before wrapping keeps a huge text cheap.
  const head = Number.isFinite(most) ? firstUnits(text, most * room * 2) : text;
  const lines = wrap(head.trimEnd(), room);
  const isCut = head.length < text.length || lines.length > most;
  const taken = lines.slice(0, isCut ? most : lines.length).map((line) => [span(line, tone)]);
  const rest: Text[] = isCut ? [[span(`… cut; ${sizeOf(text)} in total`, 'quiet')]] : [];
  return [...taken, ...rest].map((line, index) => [...startOf(index === 0 ? label : ''), ...line]);
}

function sizeOf(text: string): string {
  return text.length < 10_000
    ? formatPlural(text.length, 'character')
    : `${formatCount(text.length / 1000)} thousand characters`;
}

/** Sets a command; one that is too long for a line is continued on the next with a backslash where the shell reads it so. */
function setCommand({ lead, command, end, indent = indentation }: Command, width: number): Text[] {
  const first = [span(' '.repeat(indent))];
  const start = span(lead, 'quiet');
  const line = [start, whole([command, end].filter(Boolean).join(' '))];
  const fits = textWidth(line) + indent <= width;
  // The terminal wraps it, and copies it as the one line that it is.
  if (!fits && !canContinueLine()) return [[...first, ...line.map((part) => ({ ...part, isUncut: true }))]];
  if (end === undefined || fits) return flow(line, { width, first });
  return [
    ...flow([start, whole(`${command} \\`)], { width, first }),
    ...flow([whole(end)], { width, first: [span(' '.repeat(indent + textWidth([start])))] }),
  ];
}

const sidesIndent = 4;
const between = ' │ ';
/** The least width of a column; with less room the entries are below each other. */
const leastColumn = 28;

function setSides({ sides }: Sides, width: number): Text[] {
  const start = span(' '.repeat(sidesIndent));
  const half = Math.floor((width - sidesIndent - between.length) / 2);
  if (half < leastColumn) {
    const lines = sides.flatMap((side) => setSide(side, width - sidesIndent));
    return lines.map((line) => [start, ...line]);
  }
  const [left = [], right = []] = sides.map((side) => setSide(side, half));
  return Array.from({ length: Math.max(left.length, right.length) }, (_, row): Text => {
    const line = left[row] ?? [];
    const fill = span(' '.repeat(Math.max(0, half - textWidth(line))));
    return [start, ...line, fill, span(between, 'quiet'), ...(right[row] ?? [])];
  });
}

function setSide({ mark, title, text }: Side, width: number): Text[] {
  const lines = wrap(text, width).filter((line) => line !== '');
  return [...flow(title, { width, first: mark }), ...lines.map((line) => [span(line, 'quiet')])];
}
