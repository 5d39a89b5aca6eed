import { lazily } from '../lazily.ts';
import { splitWords } from './python-text.ts';

/** The most steps for which the engine's own search is used: some milliseconds. */
const fewSteps = 1e7;

/**
 * Returns the result of `text.includes(wanted)`. The engine's search may take the product of the lengths for repetitive
 * texts; for long texts this takes their sum (Knuth, Morris and Pratt, 1977).
 */
export function includesText(text: string, wanted: string): boolean {
  if (wanted.length * text.length <= fewSteps) return text.includes(wanted);
  return placesOfText(text, wanted).next().done !== true;
}

/** Yields each place of a text at which another one begins, in time that grows with the sum of their lengths. */
export function* placesOfText(text: string, wanted: string): Generator<number> {
  if (wanted.length > text.length) return;
  if (wanted.length * text.length <= fewSteps) {
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) yield at;
    return;
  }
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let place = 0; place < text.length; place++) {
    matched = advance(matched, text.charCodeAt(place), wanted, borders);
    if (matched === wanted.length) yield place + 1 - wanted.length;
  }
}

/** Returns, for each length of a prefix of a text, the length of the longest shorter prefix that it also ends with. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length + 1);
  let matched = 0;
  for (let place = 1; place < text.length; place++) {
    matched = advance(matched, text.charCodeAt(place), text, borders);
    borders[place + 1] = matched;
  }
  return borders;
}

/** Returns the matched length after one more character. */
function advance(before: number, code: number, wanted: string, borders: Int32Array): number {
  let matched = before;
  while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = borders[matched] ?? 0;
  return wanted.charCodeAt(matched) === code ? matched + 1 : matched;
}

const punctuation = new Set('.,!?;:()[]{}"\'');

/**
 * Returns the set of tokens of a text, as the FAQ-bot framework defines them: split at white space, with `. , ! ? ; : (
 * ) [ ] { } " '` removed from both ends of each piece, in lower case. A piece of punctuation alone is the empty token
 * and stays in the set.
 */
export function tokenSet(text: string): Set<string> {
  return new Set(splitWords(text).map((piece) => stripPunctuation(piece).toLowerCase()));
}

function stripPunctuation(piece: string): string {
  let start = 0;
  let end = piece.length;
  while (start < end && punctuation.has(piece.charAt(start))) start++;
  while (end > start && punctuation.has(piece.charAt(end - 1))) end--;
  return piece.slice(start, end);
}

const invisible = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u0640]/g;
const otherDigit = /(?![0-9])\p{Nd}/gu;

/**
 * Returns a text in the form in which words and numbers of any script are compared: Unicode normal form NFKC (so
 * full-width letters and digits become plain ones), every decimal digit as 0-9, without marks of writing direction,
 * soft hyphens, other invisible characters and the Arabic stretching mark.
 */
export function foldText(text: string): string {
  return foldDigits(text.normalize('NFKC').replace(invisible, ''));
}

// eslint-disable-next-line no-control-regex
const ascii = /^[\0-\x7f]*$/;

/** Returns whether a text has characters of ASCII alone, in which there is little to fold. */
export function isAscii(text: string): boolean {
  return ascii.test(text);
}

/** Replaces full-width forms with plain ones: `＄１，２０４` becomes `$1,204`. Unlike with NFKC, nothing else changes. */
export function foldWidth(text: string): string {
  if (isAscii(text)) return text;
  return text.replace(/[\uff01-\uff5e\uffe5\uffe1\uffe0]/g, (character) => character.normalize('NFKC'));
}

/** Replaces every decimal digit of any script with 0-9: `٤٢` and `४२` become `42`. */
export function foldDigits(text: string): string {
  if (isAscii(text)) return text;
  return text.replace(otherDigit, (digit) => String(digitValue(digit.codePointAt(0) ?? 0)));
}

/** Returns the value of a digit. Digits are in runs from 0 to 9, one run after the other or alone. */
function digitValue(codePoint: number): number {
  let start = codePoint;
  while (/\p{Nd}/u.test(String.fromCodePoint(start - 1))) start--;
  return (codePoint - start) % 10;
}

// The locale is fixed, so that a text has the same words on every machine. Chinese, Japanese and Thai are split by
// their dictionaries in every locale.
const segmenter = lazily(() => new Intl.Segmenter('en', { granularity: 'word' }));

/** Returns the words of a text in any script, by the Unicode rules and the dictionaries of the JavaScript engine. */
export function segmentWords(text: string): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter().segment(text)) if (isWordLike) words.push(segment);
  return words;
}

/** Returns the places, in UTF-16 code units, at which a word or any other segment of a text begins or ends. */
export function wordBoundaries(text: string): Set<number> {
  const places = new Set([text.length]);
  for (const { index } of segmenter().segment(text)) places.add(index);
  return places;
}
