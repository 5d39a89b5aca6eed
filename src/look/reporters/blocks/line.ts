import { styleText } from 'node:util';
import { displayWidth, shorten } from '../../../core/lib/text/terminal-text.ts';
import type { ReportView } from '../reporter.ts';
import type { Span, Text, Tone } from './text.ts';

const styles = {
  strong: 'bold',
  quiet: 'dim',
  good: 'green',
  fair: 'yellow',
  bad: 'red',
  fault: 'magenta',
} as const satisfies Record<Tone, Parameters<typeof styleText>[0]>;

/** Renders a line for the terminal: escapes control characters, cuts to the width unless a part of it is never cut, and applies colours if wanted. */
export function renderLine(line: Text, view: Pick<ReportView, 'width' | 'color'>): string {
  const isUncut = line.some((part) => part.isUncut);
  const shown = cutLine(line, isUncut ? Number.POSITIVE_INFINITY : view.width);
  const texts = view.color ? merged(shown).map(paint) : shown.map(({ text }) => text);
  return `${texts.join('').trimEnd()}\n`;
}

/** Merges adjacent spans of the same style, so that each style is applied once. */
function merged(line: Text): Span[] {
  const spans: Span[] = [];
  for (const part of line) {
    const last = spans.at(-1);
    if (last !== undefined && last.tone === part.tone && last.isStrong === part.isStrong) {
      spans[spans.length - 1] = { ...last, text: last.text + part.text };
    } else if (part.text !== '') {
      spans.push(part);
    }
  }
  return spans;
}

/** Escapes control characters in a line and cuts it to a width. */
export function cutLine(line: Text, width: number): Span[] {
  let room = width;
  return line.map((part) => {
    const text = shorten(part.text, room);
    // After a piece that was cut, nothing follows, so there is only one ellipsis.
    room = text.endsWith('…') && !part.text.endsWith('…') ? 0 : room - displayWidth(text);
    return { ...part, text };
  });
}

function paint({ text, tone, isStrong }: Span): string {
  if (tone === undefined || text.trim() === '') return text;
  return styleText(isStrong ? ['bold', styles[tone]] : styles[tone], text, { validateStream: false });
}
