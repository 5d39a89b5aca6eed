import { displayWidth, toTerminalText, wrap } from '../../../core/lib/text/terminal-text.ts';
import { type Span, span, type Text, textWidth } from './text.ts';

/** The layout of a line that is wrapped. */
export interface Flow {
  /** The columns of the whole line. */
  readonly width: number;
  /** The beginning of the first line; later lines are indented by its width. */
  readonly first: Text;
}

/** Wraps a line at its spaces. */
export function flow(line: Text, { width, first }: Flow): Text[] {
  const indent = textWidth(first);
  const room = Math.max(1, width - indent);
  const texts = fill(
    line.flatMap((part) => tokens(part, room)),
    room,
  );
  return texts.map((text, index) => [...(index === 0 ? first : [span(' '.repeat(indent))]), ...text]);
}

function fill(line: readonly Span[], room: number): Text[] {
  const lines: Span[][] = [[]];
  let used = 0;
  let glue: Span[] = [];
  for (const unit of units(line, room)) {
    if (unit[0]?.isGlue) {
      glue.push(...unit);
      continue;
    }
    const columns = textWidth(unit);
    if (used > 0 && used + textWidth(glue) + columns > room) {
      lines.push([...unit]);
      used = columns;
    } else {
      // Spaces at the beginning are an indentation; at a wrap they are dropped.
      const leading = used > 0 || lines.length === 1 ? glue : [];
      lines.at(-1)?.push(...leading, ...unit);
      used += textWidth(leading) + columns;
    }
    glue = [];
  }
  return lines;
}

/** Groups adjacent spans, such as a name and the full stop after it, so that they stay together if they fit on a line. */
function units(line: readonly Span[], room: number): Text[] {
  const groups: Span[][] = [];
  for (const token of line) {
    const last = groups.at(-1);
    if (last === undefined || token.isGlue || last[0]?.isGlue) groups.push([token]);
    else last.push(token);
  }
  return groups.flatMap((group) => (textWidth(group) <= room ? [group] : group.map((token) => [token])));
}

function tokens(part: Span, room: number): Span[] {
  if (part.isGlue) return [part];
  const text = toTerminalText(part.text);
  const pieces =
    part.isWhole && displayWidth(text) <= room ? [text] : text.split(/( +)/).filter((piece) => piece !== '');
  return pieces.flatMap((piece) => {
    if (piece.trim() === '') return [{ text: piece, tone: part.tone, isGlue: true }];
    const words = displayWidth(piece) <= room ? [piece] : wrap(piece, room);
    return words.map((word) => ({ ...part, text: word }));
  });
}
