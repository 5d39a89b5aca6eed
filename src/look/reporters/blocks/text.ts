import { displayWidth, shorten } from '../../../core/lib/text/terminal-text.ts';
import type { TrialOutcome } from '../../../core/schema/result.ts';
import type { Phrase } from '../../report/phrase.ts';

/** The role of a piece of text, which determines its colour. */
export type Tone = 'strong' | 'quiet' | 'good' | 'fair' | 'bad' | 'fault';

/** A piece of text of one tone. Each renderer makes it safe for its format, whatever the text is. */
export interface Span {
  readonly text: string;
  readonly tone?: Tone;
  /** True for bold text. */
  readonly isStrong?: boolean;
  /** True for text from outside: a name, a question, a message. Markdown sets it as code. */
  readonly isQuoted?: boolean;
  /** True for words from outside rather than a name: a format that cannot set them apart puts them in quotation marks. */
  readonly isWords?: boolean;
  /** True for text that is not wrapped unless it is wider than a line. */
  readonly isWhole?: boolean;
  /** True for text that is never cut: a terminal wraps its line, and copies it as one. */
  readonly isUncut?: boolean;
  /** True for a separator that disappears where a line is wrapped. */
  readonly isGlue?: boolean;
}

/** A text of several tones. */
export type Text = readonly Span[];

/** Creates a span of our own words, with or without a tone. */
export function span(text: string, tone?: Tone): Span {
  return { text, tone };
}

/** Creates a span of our own words that is not wrapped. */
export function whole(text: string, tone?: Tone): Span {
  return { text, tone, isWhole: true };
}

/** The widest name from outside, in columns. */
const widestName = 60;

/** Creates a span of a name from outside, which is not wrapped, and cut to at most `most` columns. */
export function name(text: string, tone?: Tone, most = widestName): Span {
  return { text: shorten(text, most), tone, isQuoted: true, isWhole: true };
}

const longestQuotation = 600;

/** Creates a span of a text from outside, cut to at most `most` columns. */
export function quoted(text: string, tone?: Tone, most = longestQuotation): Span {
  return { text: shorten(text.trim(), most), tone, isQuoted: true };
}

/** Creates a span of a quantity. A metric can declare any unit: an unusual one is a text from outside. */
export function quantity(text: string, unit: string | undefined, tone?: Tone): Span {
  const isUsual = unit === undefined || /^\p{L}{0,20}$/u.test(unit);
  return isUsual ? span(text, tone) : { ...quoted(text, tone), isWhole: true };
}

/** Sets a phrase: our own words in a tone, names from outside highlighted unless `ofNames` is another tone or none. */
export function phrase(parts: Phrase, tone?: Tone, ofNames: Tone | 'plain' = tone ?? 'strong'): Text {
  return parts.map((part) => {
    if (typeof part === 'string') return span(part, tone);
    return { ...name(part.quoted, ofNames === 'plain' ? undefined : ofNames), isWords: part.isText };
  });
}

/** Joins the texts that are not empty into one, with a dimmed separator that disappears where the line is wrapped. */
export function joined(parts: readonly Text[], separator = ' · '): Text {
  const glue: Span = { text: separator, tone: 'quiet', isGlue: true };
  const filled = parts.filter(({ length }) => length > 0);
  return filled.flatMap((part, index) => (index === 0 ? part : [glue, ...part]));
}

/** Returns the width of a text in columns. */
export function textWidth(text: Text): number {
  return text.reduce((sum, part) => sum + displayWidth(part.text), 0);
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
