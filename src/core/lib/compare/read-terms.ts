import { lazily } from '../lazily.ts';
import type { DecimalMark } from '../numbers/find-numbers.ts';
import { foldForComparison } from '../text/fold.ts';
import { isAscii, segmentWords } from '../text/words.ts';
import { asciiKind, endOfAsciiWord } from '../text/ascii-words.ts';
import { dropBounds } from './limits.ts';
import { countGluedNegators, findAffirmations, isNegator } from './negation.ts';
import { joinNumberWords, ordinals } from './number-words.ts';
import { readCodes } from './read-codes.ts';
import { readQuantities } from './read-quantities.ts';
import { readTimes } from './read-times.ts';
import { hide, type Span, type Term } from './term.ts';

/**
 * Reads a prepared text as terms, from left to right: quantities, dates, times, addresses, identifiers, operators,
 * denials and words. Punctuation, articles and quotes are left out. The key of a bracket behind a name is `glued(`.
 */
export function readTerms(text: string, mark: DecimalMark): readonly Term[] {
  const times = readTimes(text);
  const first = hide(text, times);
  const codes = readCodes(first);
  const second = hide(first, codes);
  const numbers = readQuantities(second, mark);
  const found = [...times, ...codes, ...numbers];
  const rest = readRest(hide(second, numbers), text, found);
  const all = found.length === 0 ? rest : [...found, ...rest].sort((one, other) => one.start - other.start);
  return !all.some(({ kind }) => kind === 'number')
    ? joinNumberWords(all)
    : nameVersions(joinNumberWords(dropBetween(dropBounds(all), text)));
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

/** Reads what stands at a place, and returns where the next may begin. */
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
  const { text: written, start, end } = place;
  const { text, terms, affirmed } = words;
  if (!isPlain && unspaced.test(written)) {
    for (const term of readUnspaced(place)) terms.push(term);
    return;
  }
  if (written.includes('-') && readParts(place, words)) return;
  const folded = isPlain ? written.toLowerCase() : foldForComparison(written);
  if (articles.has(folded)) return;
  if (isNegator(folded) && !isInside(place, affirmed())) {
    terms.push(...readNegator(folded, place, text));
    return;
  }
  if (untrue.has(folded) && /^ that\b/i.test(text.slice(place.end, place.end + 6))) {
    terms.push({ kind: 'not', key: 'not', ...place });
    return;
  }
  const key = keyOf(folded);
  terms.push(
    isName(place, text)
      ? { kind: 'word', key, text: written, start, end, isName: true }
      : { kind: 'word', key, text: written, start, end },
  );
}

/** Returns the key of a folded word, without the marks inside it. */
function keyOf(folded: string): string {
  const joined = folded.includes('-') ? folded.replaceAll('-', '') : folded;
  const bare = joined.includes("'") ? joined.replaceAll("'", '') : joined;
  return ordinals.get(bare) ?? bare;
}

const untrue = new Set(['false', 'untrue', 'incorrect', 'wrong', 'myth']);

/** Reads the parts of a word with hyphens as words, where they count or deny; returns whether it did. */
function readParts({ text: written, start }: Place, words: Words): boolean {
  const parts = written.split('-');
  const lower = parts.map((part) => part.toLowerCase());
  const isSplit = lower.some((part) => isNegator(part)) || parts.every((part) => part.length === 1);
  if (!isSplit && !lower.some((part) => numberParts.has(part))) return false;
  let at = start;
  for (const part of parts) {
    readWord({ text: part, start: at, end: at + part.length }, words, isAscii(part));
    at += part.length + 1;
  }
  return true;
}

/** Returns whether a word has a capital inside a sentence. */
function isName({ text: written, start }: Place, text: string): boolean {
  const first = written.charCodeAt(0);
  if (first >= 97 && first <= 122) return false;
  return /^\p{Lu}/u.test(written) && /[\p{L}\p{N},)'"] ?$/u.test(text.slice(Math.max(0, start - 2), start));
}

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

interface Surroundings {
  readonly text: string;
  readonly ends: ReadonlySet<number>;
}

const asOne: Readonly<Record<string, string>> = {
  '&': 'and',
  '×': '*',
  '·': '*',
  '⋅': '*',
  '÷': '/',
  '→': '->',
  '<>': '!=',
};

/** Returns the key of an operator or bracket; undefined where the sign is punctuation. */
function signKey(place: Place, { text, ends }: Surroundings): string | undefined {
  const { text: sign, start, end } = place;
  const [before, after] = [text.charAt(start - 1), text.charAt(end)];
  if ('([{'.includes(sign)) {
    if (text.startsWith('(s)', start)) return undefined;
    return /[\p{L}\p{N}_)\]]/u.test(before) ? `glued${sign}` : sign;
  }
  if (Object.hasOwn(isMeant, sign)) {
    return isMeant[sign]?.({ before, after, start, end, text }) === true ? sign : undefined;
  }
  // Stars around a word are emphasis that does not follow the rules.
  const isStar = sign === '*' || sign === '**';
  if (isStar && !isOperand(before, start, ends) && !/\s/u.test(before)) return undefined;
  return asOne[sign] ?? sign;
}

interface Neighbours {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

/** The signs that are operators only beside certain others. */
const isMeant: Readonly<Record<string, (beside: Neighbours) => boolean>> = {
  '-': ({ text, start, end }) => isMinus(text, start, end),
  '/': ({ text, start, end }) =>
    !/\p{L}{2}$/u.test(text.slice(Math.max(0, start - 2), start)) ||
    !/^\p{L}{2}/u.test(text.slice(end, end + 2)),
  '!': ({ before, after }) => /^$|[\s(]/u.test(before) && /[\p{L}(]/u.test(after),
  '|': ({ before, after }) => /\S/.test(before) && /\S/.test(after),
  '%': ({ before, after }) => /\s/u.test(before) && /\s/u.test(after),
  '~': () => false,
};

function isOperand(before: string, start: number, ends: ReadonlySet<number>): boolean {
  return ends.has(start) || /[\p{L}\p{N}_)\]]/u.test(before);
}

/** A hyphen between spaces is a minus beside a number or a name of one letter: `a - b`, `5 - x`. */
function isMinus(text: string, start: number, end: number): boolean {
  if (text.charAt(end) === '∞') return true;
  const before =
    /(?:^|[^\p{L}\p{N}])[\p{L}\p{N})\]]\s?$/u.test(text.slice(Math.max(0, start - 3), start)) ||
    /[\d)\]]\s?$/.test(text.slice(Math.max(0, start - 2), start));
  const after = /^\s?(?:[\d(]|\p{L}(?!\p{L}))/u.test(text.slice(end, end + 3));
  return before && after;
}

const approximate = new Set(
  'about approximately around roughly circa ca approx etwa ungefähr rund environ aproximadamente'.split(' '),
);
const between = new Set('to through until till bis à'.split(' '));

/** Drops what only joins numbers or makes them approximate: `10 to 20`, `10 - 20`, `about 100`. */
function dropBetween(terms: readonly Term[], text: string): Term[] {
  return terms
    .filter((term, index) => {
      const next = terms[index + 1];
      const last = terms[index - 1];
      if (next?.kind !== 'number') return true;
      if (term.kind === 'word' && approximate.has(term.key)) return false;
      if (last?.kind !== 'number') return true;
      if (term.kind === 'word' && between.has(term.key)) return false;
      return !(term.key === '-' && !text.slice(last.end, next.start).includes(' '));
    })
    .map((term, index, kept) => {
      const isTimes =
        term.kind === 'word' &&
        term.key === 'x' &&
        kept[index - 1]?.kind === 'number' &&
        kept[index + 1]?.kind === 'number';
      return isTimes ? { ...term, kind: 'sign', key: '*' } : term;
    });
}

const versioned = new Set(
  (
    'version release python node java php ruby go golang angular vue react django flask rails postgresql postgres mysql mongodb redis ubuntu debian fedora macos ios ' +
    'android windows linux kernel typescript ecmascript chrome firefox safari edge gpt claude llama gemini http tls usb bluetooth swift kotlin scala rust perl'
  ).split(' '),
);

/** `Python 3.10` is no number: 3.1 is another version. */
function nameVersions(terms: readonly Term[]): Term[] {
  return terms.map((term, index) => {
    const isVersion =
      term.kind === 'number' && /^\d+\.\d+$/.test(term.text) && versioned.has(terms[index - 1]?.key ?? '');
    return isVersion ? { ...term, kind: 'code', key: term.text, quantity: undefined } : term;
  });
}
