import { styleText } from 'node:util';
import { displayWidth, shorten } from '../../lib/text/terminal-text.ts';
import type { Mark } from '../../schema/mark.ts';
import type { ReportView } from '../reporter.ts';

/** What a piece of text is, from which its colour follows. */
export type Tone = 'strong' | 'quiet' | 'good' | 'fair' | 'bad' | 'fault';

/** A piece of text of one tone. It may hold anything: only `renderLine` turns it into what the terminal gets. */
export interface Span {
  readonly text: string;
  readonly tone?: Tone | undefined;
  /** In bold as well. */
  readonly isStrong?: boolean;
  /** Never broken over two lines unless it is wider than one. */
  readonly isWhole?: boolean;
  /** Stands between two others and vanishes where a line is broken. */
  readonly isGlue?: boolean;
}

/** One line of the report. */
export type Line = readonly Span[];

const styles = {
  strong: 'bold',
  quiet: 'dim',
  good: 'green',
  fair: 'yellow',
  bad: 'red',
  fault: 'magenta',
} as const satisfies Record<Tone, Parameters<typeof styleText>[0]>;

/** A span of some tone, or of none. */
export function span(text: string, tone?: Tone): Span {
  return { text, tone };
}

/** A span that stays in one piece. */
export function whole(text: string, tone?: Tone): Span {
  return { text, tone, isWhole: true };
}

/** Lines joined into one, with a quiet dot between that vanishes where the line is broken. */
export function joined(parts: readonly Line[], separator = ' · '): Line {
  const glue: Span = { text: separator, tone: 'quiet', isGlue: true };
  return parts.flatMap((part, index) => (index === 0 ? part : [glue, ...part]));
}

/** Columns that a line takes. */
export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + displayWidth(text), 0);
}

/** The only way to the terminal: makes all text safe, keeps within the width, and paints when colours are wanted. */
export function renderLine(line: Line, view: ReportView): string {
  const shown = cutLine(line, view.width);
  const texts = view.color ? merged(shown).map(paint) : shown.map(({ text }) => text);
  return `${texts.join('').trimEnd()}\n`;
}

/** Neighbours of one look become one span, so that each is painted once. */
function merged(line: Line): Span[] {
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

/** A line made safe and cut to a width. */
export function cutLine(line: Line, width: number): Span[] {
  let room = width;
  return line.map((part) => {
    const text = shorten(part.text, room);
    // One ellipsis is enough: after a piece that was cut, no other begins.
    room = text.endsWith('…') && !part.text.endsWith('…') ? 0 : room - displayWidth(text);
    return { ...part, text };
  });
}

function paint({ text, tone, isStrong }: Span): string {
  if (tone === undefined || text.trim() === '') return text;
  return styleText(isStrong ? ['bold', styles[tone]] : styles[tone], text, { validateStream: false });
}

/** The colour of each mark. */
export const markTones = {
  passed: 'good',
  failed: 'bad',
  error: 'fault',
  'not-measured': 'fair',
  unscored: 'quiet',
} as const satisfies Record<Mark, Tone>;

/** The colour of a share: good from 0.8 or the pass mark if that is higher, bad under the pass mark, fair between. */
export function shareTone(share: number | null | undefined, passMark = 0.7): Tone | undefined {
  if (share === null || share === undefined || !Number.isFinite(share)) return undefined;
  if (share >= Math.max(0.8, passMark) - 1e-9) return 'good';
  return share >= passMark - 1e-9 ? 'fair' : 'bad';
}
