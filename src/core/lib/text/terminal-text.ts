import { eastAsianWidth } from 'get-east-asian-width';
import { lazily } from '../lazily.ts';
import { mayHide, splitHidden } from './hidden-characters.ts';

/**
 * Text in which each character takes one column, recognized without segmenting: ASCII, western European letters and our
 * own signs.
 */
const narrow = /^[ -~\u00a1-\u00ac\u00ae-\u00ff–…−→≤≥─│●○·█▁-▇✓✗⏎]*$/;

const segmenter = lazily(() => new Intl.Segmenter(undefined, { granularity: 'grapheme' }));
const hidden = String.raw`\p{Default_Ignorable_Code_Point}\p{Control}\p{Mark}\p{Surrogate}`;
const hiddenOnly = lazily(() => new RegExp(`^[${hidden}]+$`, 'v'));
const hiddenFirst = lazily(() => new RegExp(String.raw`^[${hidden}\p{Format}]+`, 'v'));
const emoji = lazily(() => /^\p{RGI_Emoji}$/v);

/** Yields the characters of a text as a reader sees them. */
function* graphemesOf(text: string): Generator<string> {
  for (const { segment } of segmenter().segment(text)) yield segment;
}

/**
 * Returns the columns that safe text (see `toTerminalText`) takes in a terminal; wide characters and emoji take two.
 */
export function displayWidth(text: string): number {
  if (narrow.test(text)) return text.length;
  let width = 0;
  for (const grapheme of graphemesOf(text)) width += widthOf(grapheme);
  return width;
}

/** Returns the width of a character, as `string-width` does, which is too slow to load for every command. */
function widthOf(grapheme: string): number {
  if (hiddenOnly().test(grapheme)) return 0;
  if (emoji().test(grapheme)) return 2;
  const [first = '', ...rest] = grapheme.replace(hiddenFirst(), '');
  const halfwidthMarks = rest.filter((character) => character >= '\uff00' && character <= '\uffef');
  return [first, ...halfwidthMarks].reduce((sum, character) => sum + columnsOf(character), 0);
}

function columnsOf(character: string): number {
  return eastAsianWidth(character.codePointAt(0) ?? 0);
}

/** The most code units that a visible column takes, once hidden characters are shown. */
const unitsPerColumn = 32;

/**
 * Makes text from anywhere safe to print on one line of a terminal. Newlines become ` ⏎ `; escape sequences, other
 * control characters, bidi overrides, hidden characters and lone surrogates become visible (`␛`, `\u202e`).
 */
export function toTerminalText(text: string): string {
  if (!mayHide(text)) return text;
  return Array.from(splitHidden(text), ({ text: piece, kind }) =>
    kind === 'hidden' ? visibleCharacter(piece) : kind === 'newline' ? ' ⏎ ' : piece,
  ).join('');
}

function visibleCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === '\t') return ' ';
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  const digits = code.toString(16).padStart(4, '0');
  return code > 0xffff ? `\\u{${digits}}` : `\\u${digits}`;
}

/** Makes text safe for one line and cuts it to at most `width` columns. Cut text ends in `…`. */
export function shorten(text: string, width: number): string {
  if (!(width >= 1)) return '';
  const head = firstUnits(text, Math.ceil(width) * unitsPerColumn);
  const shown = toTerminalText(head);
  if (head.length === text.length && displayWidth(shown) <= width) return shown;
  return `${takeColumns(shown, width - 1).trimEnd()}…`;
}

/** Returns at most the first `units` UTF-16 units of a text, without splitting a character. */
export function firstUnits(text: string, units: number): string {
  if (text.length <= units) return text;
  return text.slice(0, units).replace(/[\ud800-\udbff]$/, '');
}

function takeColumns(text: string, width: number): string {
  let taken = '';
  let used = 0;
  for (const grapheme of graphemesOf(text)) {
    used += displayWidth(grapheme);
    if (used > width) break;
    taken += grapheme;
  }
  return taken;
}

/**
 * Makes text safe and breaks it into lines of at most `width` columns: at its newlines, then at spaces, then anywhere.
 * Indentation stays. Returns no lines for a width below 1.
 */
export function wrap(text: string, width: number): string[] {
  if (!(width >= 1)) return [];
  return text.split(/\r?\n/).flatMap((paragraph) => wrapParagraph(toTerminalText(paragraph), width));
}

function wrapParagraph(paragraph: string, width: number): string[] {
  if (displayWidth(paragraph) <= width) return [paragraph.trimEnd()];
  const lines: string[] = [];
  let line: string | undefined;
  for (const word of paragraph.split(' ').flatMap((part) => breakWord(part, width))) {
    const longer: string = line === undefined ? word : `${line} ${word}`;
    if (line === undefined || displayWidth(longer) <= width) {
      line = longer;
    } else {
      lines.push(line.trimEnd());
      line = word;
    }
  }
  return [...lines, (line ?? '').trimEnd()];
}

function breakWord(word: string, width: number): string[] {
  if (displayWidth(word) <= width) return [word];
  const pieces: string[] = [];
  let piece = '';
  let used = 0;
  for (const grapheme of graphemesOf(word)) {
    const columns = displayWidth(grapheme);
    if (used + columns > width && piece !== '') {
      pieces.push(piece);
      piece = '';
      used = 0;
    }
    piece += columns > width ? '…' : grapheme;
    used += Math.min(columns, width);
  }
  return [...pieces, piece];
}
