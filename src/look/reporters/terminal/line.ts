import { styleText } from 'node:util';
import { displayWidth, shorten } from '../../../core/lib/text/terminal-text.ts';
import type { TrialOutcome } from '../../../core/schema/result.ts';
import type { ReportView } from '../reporter.ts';

/** The role of a piece of text, which determines its colour. */
export type Tone = 'strong' | 'quiet' | 'good' | 'fair' | 'bad' | 'fault';

/** A piece of text of one tone. The text can be anything; `renderLine` makes it safe for the terminal. */
export interface Span {
  readonly text: string;
  readonly tone?: Tone;
  /** True for bold text. */
  readonly isStrong?: boolean;
  /** True for text that is not wrapped unless it is wider than a line. */
  readonly isWhole?: boolean;
  /** True for a separator that disappears where a line is wrapped. */
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

/** Creates a span, with or without a tone. */
export function span(text: string, tone?: Tone): Span {
  return { text, tone };
}

/** Creates a span that is not wrapped. */
export function whole(text: string, tone?: Tone): Span {
  return { text, tone, isWhole: true };
}

/** Joins lines into one, with a dimmed separator that disappears where the line is wrapped. */
export function joined(parts: readonly Line[], separator = ' · '): Line {
  const glue: Span = { text: separator, tone: 'quiet', isGlue: true };
  return parts.flatMap((part, index) => (index === 0 ? part : [glue, ...part]));
}

/** Returns the width of a line in columns. */
export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + displayWidth(text), 0);
}

/** Renders a line for the terminal: escapes control characters, cuts to the width, and applies colours if wanted. */
export function renderLine(line: Line, view: ReportView): string {
  const shown = cutLine(line, view.width);
  const texts = view.color ? merged(shown).map(paint) : shown.map(({ text }) => text);
  return `${texts.join('').trimEnd()}\n`;
}

/** Merges adjacent spans of the same style, so that each style is applied once. */
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

/** Escapes control characters in a line and cuts it to a width. */
export function cutLine(line: Line, width: number): Span[] {
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

/** The tone of each mark. */
export const markTones = {
  passed: 'good',
  failed: 'bad',
  error: 'fault',
  'not-measured': 'fair',
  unscored: 'quiet',
} as const satisfies Record<TrialOutcome, Tone>;

/** Returns the tone of a share: good from 0.8 or a higher pass mark, bad below the pass mark, fair between. */
export function shareTone(share: number | null | undefined, passMark = 0.7): Tone | undefined {
  if (share === null || share === undefined || !Number.isFinite(share)) return undefined;
  if (share >= Math.max(0.8, passMark) - 1e-9) return 'good';
  return share >= passMark - 1e-9 ? 'fair' : 'bad';
}
