import { firstUnits, wrap } from '../../lib/terminal-text.ts';
import { formatCount, formatPlural } from '../../report/format/format-number.ts';
import { flow } from './flow.ts';
import { type Line, span, type Tone } from './line.ts';

const labelWidth = 10;
const indent = 4;

/** How a text is set under its label. */
export interface BlockLook {
  readonly width: number;
  /** Lines after which it is cut, and its size given; all of them when left out. */
  readonly most?: number | undefined;
  readonly tone?: Tone | undefined;
}

/** A text of any size in a column of its own, its label before the first line; nothing for an empty text. */
export function block(label: string, text: string, { width, most = Infinity, tone }: BlockLook): Line[] {
  if (text.trim() === '') return [];
  const room = width - labelWidth - indent;
  // Cutting before wrapping keeps a huge text cheap.
  const head = Number.isFinite(most) ? firstUnits(text, most * room * 2) : text;
  const lines = wrap(head.trimEnd(), room);
  const isCut = head.length < text.length || lines.length > most;
  const shown = lines.slice(0, isCut ? most : lines.length).map((line) => [span(line, tone)]);
  const rest: Line[] = isCut ? [[span(`… cut; ${sizeOf(text)} in all`, 'quiet')]] : [];
  return [...shown, ...rest].map((line, index) => [...startOf(index === 0 ? label : ''), ...line]);
}

/** A line in a column of its own, its label before it. */
export function labelled(label: string, line: Line, width: number): Line[] {
  return flow(line, { width, first: startOf(label) });
}

function startOf(label: string): Line {
  return [span(' '.repeat(indent)), span(label.padEnd(labelWidth), 'quiet')];
}

function sizeOf(text: string): string {
  return text.length < 10_000
    ? formatPlural(text.length, 'character')
    : `${formatCount(text.length / 1000)} thousand characters`;
}
