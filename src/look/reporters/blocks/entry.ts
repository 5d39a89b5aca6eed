import { shorten } from '../../../core/lib/text/terminal-text.ts';
import type { Entry } from './block.ts';
import { flow } from './flow.ts';
import { span, type Span, type Text, textWidth } from './text.ts';

/** Puts words from outside in quotation marks, since a terminal cannot set them apart. */
export function shown(text: Text): Text {
  return text.map((part): Span => (part.isWords === true ? { ...part, text: `"${part.text}"` } : part));
}

/** The least width of a label with the space after it. */
export const labelWidth = 8;

/** The place of an entry. */
export interface Place {
  readonly width: number;
  readonly indent: number;
  /** The most lines of the text. */
  readonly mostLines?: number;
}

/** Sets an entry: what comes before its text, and the text, which is wrapped. */
export function setEntry({ text, label, mark = [] }: Entry, { width, indent, mostLines }: Place): Text[] {
  if (textWidth(text) === 0 && mark.length === 0) return [];
  const word = label === undefined ? [] : [span(`${label} `.padEnd(labelWidth))];
  const first = [span(' '.repeat(indent)), ...word, ...mark];
  if (textWidth(text) === 0) return [first];
  const lines = flow(shown(text), { width, first });
  if (mostLines === undefined || lines.length <= mostLines) return lines;
  // Of a very long text the beginning is shown, with an ellipsis at the end of the last line.
  const start = textWidth(first);
  const rest = lines.slice(mostLines - 1).map((line) =>
    line
      .slice(1)
      .map((part) => part.text)
      .join(''),
  );
  const last = { ...text[0], text: shorten(rest.join(' '), width - start) };
  return [...lines.slice(0, mostLines - 1), [span(' '.repeat(start)), last]];
}
