import { lazily } from '../lazily.ts';
import type { DecimalMark } from '../numbers/find-numbers.ts';
import { romanValue } from '../numbers/roman-numerals.ts';
import { spelledOut, weekdayOf } from '../text/abbreviations.ts';
import { foldForComparison } from '../text/fold.ts';
import { isAscii, segmentWords } from '../text/words.ts';
import { asciiKind, endOfAsciiWord } from '../text/ascii-words.ts';
import { dropBetween, dropBounds, joinRanges } from './limits.ts';
import { joinTerms } from './join-terms.ts';
import { countGluedNegators, findAffirmations, isNegator } from './denials.ts';
import { joinNumberWords, numberTerm, ordinals } from './number-words.ts';
import { readCodes } from './read-codes.ts';
import { readPhrases } from './read-phrases.ts';
import { readQuantities } from './read-quantities.ts';
import { signKey, type Surroundings } from './read-signs.ts';
import { readTimes } from './read-times.ts';
import { hide, type Span, type Term } from './term.ts';

/**
 * Reads a prepared text as terms, from left to right: quantities, dates, times, addresses, identifiers, operators,
 * denials and words. Punctuation, articles and quotes are dropped. The key of a bracket behind a name is `glued(`.
 */
export function readTerms(text: string, mark: DecimalMark): readonly Term[] {
  const phrases = readPhrases(text);
  const plain = hide(text, phrases);
  const times = readTimes(plain);
  const first = hide(plain, times);
  const codes = readCodes(first);
  const second = hide(first, codes);
  const numbers = readQuantities(second, mark);
  const found = [...phrases, ...times, ...codes, ...numbers];
  const rest = readRest(hide(second, numbers), text, found);
  const all = found.length === 0 ? rest : merge(found, rest);
  const counted = joinNumberWords(all, text);
  const numbered = counted.some(({ kind }) => kind === 'number')
    ? nameVersions(dropBetween(dropBounds(counted), text))
    : counted;
  return joinTerms(joinRanges(numbered), text);
}

/** Puts the few terms that were found first between the others, which are in order. */
function merge(found: readonly Term[], rest: readonly Term[]): Term[] {
  const sorted = found.toSorted((one, other) => one.start - other.start);
  const merged: Term[] = [];
  let next = 0;
  for (const term of rest) {
    for (; next < sorted.length; next++) {
      const earlier = sorted[next] as Term;
      if (earlier.start > term.start) break;
      merged.push(earlier);
    }
    merged.push(term);
  }
  for (; next < sorted.length; next++) merged.push(sorted[next] as Term);
  return merged;
}

const signs = String.raw`===|!==|==|!=|<=>|>=|<=|=>|->|<-|&&|\|\||\*\*|:=|\+=|-=|<>|[<>=+*/^%&|~!×÷·⋅()[\]{}→-]`;
const piece = new RegExp(
  String.raw`([\p{L}\p{M}]+(?:'[\p{L}\p{M}]+)*(?:-\p{L}[\p{L}\p{M}]*(?:'\p{L}+)?)*)|(\d+)|(${signs})|(?:\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic}|\p{Emoji_Modifier})*|[\u{1f1e6}-\u{1f1ff}]{2}|(?![${'`'}´¨¯¸™®©°$€£¥^<>=+|~])\p{S})`,
  'uy',
);
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const articles = new Set(['a', 'an', 'the']);

/** Reads words, operators and pictures where nothing else was found. Words of ASCII are read without a pattern, which is much faster. */
function readRest(masked: string, text: string, found: readonly Term[]): Term[] {
  const ends = new Set(found.map(({ end }) => end));
  const words: Words = { text, ends, terms: [], affirmed: lazily(() => findAffirmations(text)) };
  for (let at = 0; at < masked.length; ) {
    const begins = asciiKind(masked.charCodeAt(at));
    if (begins === 'nothing') at++;
    else {
      const end = begins === 'letter' ? endOfAsciiWord(masked, at) : undefined;
      if (end !== undefined) {
        readWord({ text: masked.slice(at, end), start: at, end }, words, true);
        at = end;
      } else at = readPiece(masked, at, words);
    }
  }
  return words.terms;
}

/** Reads the term at a place, and returns where the next may begin. */
function readPiece(masked: string, at: number, words: Words): number {
  piece.lastIndex = at;
  const match = piece.exec(masked);
  if (match === null) return at + ((masked.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  const {
    0: written,
    1: word,
    2: long,
    3: sign,
  } = match as { readonly [group: number]: string | undefined } & RegExpExecArray;
  const place = { text: written, start: at, end: at + written.length };
  const { text, ends, terms } = words;
  if (word !== undefined) readWord(place, words, false);
  else if (long !== undefined) terms.push({ kind: 'code', key: long, ...place });
  else if (sign === undefined) terms.push({ kind: 'picture', key: written, ...place });
  else {
    const key = signKey(place, { text, ends });
    if (key === 'and') terms.push({ kind: 'word', key, ...place });
    else if (key !== undefined) terms.push({ kind: 'sign', key, ...place });
  }
  return place.end;
}

type Place = Pick<Term, 'text' | 'start' | 'end'>;

/** The text that is read, the terms that were found, and the phrases that only look like denials. */
interface Words extends Surroundings {
  readonly terms: Term[];
  readonly affirmed: () => readonly Span[];
}

/** Adds the terms of a word; of a long text without spaces there are very many. */
function readWord(place: Place, words: Words, isPlain: boolean): void {
  const { text: written } = place;
  const { text, terms, affirmed } = words;
  if (!isPlain && unspaced.test(written)) {
    for (const term of readUnspaced(place)) terms.push(term);
    return;
  }
  if (written.includes('-') && readParts(place, words)) return;
  const folded = isPlain ? written.toLowerCase() : foldForComparison(written);
  if (articles.has(folded) && isArticle(place, text)) return;
  const denial =
    isNegator(folded) && !isInside(place, affirmed()) ? readNegator(folded, place, text) : undefined;
  if (denial !== undefined) terms.push(...denial);
  else terms.push(readPlainWord(folded, place, text));
}

function readPlainWord(folded: string, place: Place, text: string): Term {
  const { text: written, start, end } = place;
  if (untrue.has(folded) && /^ that\b/i.test(text.slice(end, end + 6)))
    return { kind: 'not', key: 'not', text: written, start, end };
  const before = isRomanLetter(written) ? text.slice(Math.max(0, start - 20), start) : '';
  const roman = before === '' ? undefined : romanValue(written, before);
  if (roman !== undefined) return numberTerm(roman, place);
  const isShortened = written.charCodeAt(0) < 97 || text.charCodeAt(end) === 46;
  const key = (isShortened ? spelledOut(written, text.slice(end, end + 3)) : undefined) ?? keyOf(folded);
  return isName(place, text)
    ? { kind: 'word', key, text: written, start, end, isName: true }
    : { kind: 'word', key, text: written, start, end };
}

/** Returns whether `a` or `the` comes before a word; in `A & B`, `a, b` and `a += 1`, it names something. */
function isArticle({ text: written, end }: Place, text: string): boolean {
  if (written === 'a')
    return !/^(?:$|[,;:)]| (?:and|or|und|oder) | ?[=+*/<>&|^%])/.test(text.slice(end, end + 6));
  return written !== 'A' || /^ (?!(?:and|or|und|oder) )[\p{L}\p{N}"'(]/u.test(text.slice(end, end + 6));
}

function isRomanLetter(written: string): boolean {
  return 'IVXLC'.includes(written.charAt(0)) && (written.length === 1 || 'IVXLC'.includes(written.charAt(1)));
}

/** Returns the key of a folded word, without the marks inside it. */
function keyOf(folded: string): string {
  const joined = folded.includes('-') ? folded.replaceAll('-', '') : folded;
  const spoken = joined.charCodeAt(0) < 0x1100 ? joined : joined.replace(koreanCopula, '$1');
  const bare = spoken.includes("'") ? spoken.replaceAll("'", '') : spoken;
  return ordinals.get(bare) ?? (bare.endsWith('days') ? weekdayOf(bare.slice(0, -1)) : undefined) ?? bare;
}

/** Endings that make a sentence of a noun in Korean: `서울입니다`. */
const koreanCopula = /^(\p{Script=Hangul}{1,40}?)(?:입니다|이에요|예요|이다)$/u;

const untrue = new Set(['false', 'untrue', 'incorrect', 'wrong', 'myth']);

/** Reads the parts of a word with hyphens as words, where they count or deny; returns whether it did. */
function readParts({ text: written, start }: Place, words: Words): boolean {
  const parts = written.split('-');
  const lower = parts.map((part) => part.toLowerCase());
  if (ordinals.has(lower.join(''))) return false;
  const days = lower.flatMap((part) => weekdayOf(part) ?? []);
  if (days.length === parts.length) {
    for (const [index, key] of days.entries())
      words.terms.push({ kind: 'word', key, ...partAt(start, parts, index) });
    return true;
  }
  const isCounted = parts.length === 2 && counted.has(lower[0] ?? '');
  const isSplit =
    isCounted || lower.some((part) => isNegator(part)) || parts.every((part) => part.length === 1);
  if (!isSplit && !lower.some((part) => numberParts.has(part))) return false;
  let at = start;
  for (const part of parts) {
    readWord({ text: part, start: at, end: at + part.length }, words, isAscii(part));
    at += part.length + 1;
  }
  return true;
}

function partAt(start: number, parts: readonly string[], index: number): Place {
  const [text = ''] = parts.slice(index);
  const from = start + parts.slice(0, index).join('-').length + (index === 0 ? 0 : 1);
  return { text, start: from, end: from + text.length };
}

/** Returns whether a word has a capital inside a sentence. */
function isName({ text: written, start }: Place, text: string): boolean {
  const first = written.charCodeAt(0);
  if (first >= 97 && first <= 122) return false;
  return /^\p{Lu}/u.test(written) && /[\p{L}\p{N},)'"] ?$/u.test(text.slice(Math.max(0, start - 2), start));
}

/** The numbers that count the second part of a word: `two-year`. */
const counted = new Set('two three four five six seven eight nine ten twelve'.split(' '));
const numberParts = new Set('twenty thirty forty fifty sixty seventy eighty ninety'.split(' '));

function isInside({ start, end }: Place, spans: readonly Span[]): boolean {
  return spans.some((span) => span.start <= start && end <= span.end);
}

const positives: Readonly<Record<string, string>> = {
  cannot: 'can',
  "can't": 'can',
  "won't": 'will',
  "shan't": 'shall',
};

function readNegator(folded: string, place: Place, text: string): Term[] {
  if (refusals.has(folded)) {
    const [before, after] = [
      text.slice(Math.max(0, place.start - 6), place.start),
      text.slice(place.end, place.end + 3),
    ];
    // `No. 5` is a number; `No, you cannot` answers a question.
    if (folded === 'no' && /^\. ?\d/.test(after)) return [];
    if (afterAnswer.test(after) && beforeAnswer.test(before))
      return [{ kind: 'word', key: folded, ...place }];
  }
  const base = positives[folded] ?? (folded.endsWith("n't") ? folded.slice(0, -3) : '');
  const denial: Term = { kind: 'not', key: 'not', ...place };
  return base === '' ? [denial] : [{ kind: 'word', key: base, ...place }, denial];
}

const refusals = new Set(['no', 'nein', 'non', 'não', 'нет']);
const afterAnswer = /^(?:[,.!;:]|\s?$| -)/;
const beforeAnswer = /(?:^|[.!?;:]\s|[("']|(?:^|\s)(?:and|or|und|oder)\s)$/;

function readUnspaced(place: Place): Term[] {
  const denials = countGluedNegators(place.text);
  const words = segmentWords(foldForComparison(place.text)).map(
    (key): Term => ({ kind: 'word', key, ...place }),
  );
  return [...words, ...Array.from({ length: denials }, (): Term => ({ kind: 'not', key: 'not', ...place }))];
}

const versioned = new Set(
  (
    'version release python node java php ruby go golang angular vue react django flask rails postgresql postgres mysql mongodb redis ubuntu debian fedora macos ios ' +
    'android windows linux kernel typescript ecmascript chrome firefox safari edge gpt claude llama gemini http tls usb bluetooth swift kotlin scala rust perl'
  ).split(' '),
);

/** `Python 3.10` is no number: 3.1 is another version. */
function nameVersions(terms: readonly Term[]): readonly Term[] {
  if (!terms.some(({ kind, text }) => kind === 'number' && text.includes('.'))) return terms;
  return terms.map((term, index) => {
    const isVersion =
      term.kind === 'number' && /^\d+\.\d+$/.test(term.text) && versioned.has(terms[index - 1]?.key ?? '');
    return isVersion ? { ...term, kind: 'code', key: term.text, quantity: undefined } : term;
  });
}
