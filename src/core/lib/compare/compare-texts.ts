import { countItems } from '../multiset.ts';
import type { DecimalMark } from '../numbers/find-numbers.ts';
import { foldForComparison } from '../text/fold.ts';
import { latinTwin } from '../text/look-alikes.ts';
import { readAsked, type TextComparison } from './comparison.ts';
import { alignTerms } from './align-terms.ts';
import { matchTerms } from './match-terms.ts';
import { markedAnswer, prepareText, withoutThoughts } from './prepare-text.ts';
import { readTerms } from './read-terms.ts';
import { functionWords, type Term } from './term.ts';

/** The rules and the surroundings of a comparison. */
export interface TextComparisonOptions {
  /** The question: an answer may repeat its words and numbers. */
  readonly question?: string;
  readonly decimalMark?: DecimalMark;
}

/** The most that a part of the expected answer is worth when the answer contradicts another part of it. */
const contradicted = 0.2;
/** The most that an answer is worth that lacks a word of a short expected one. */
const incomplete = 0.6;
/** The most that an answer is worth of which something is missing or in doubt. */
const doubted = 0.5;
/** The least that it is then worth, in whatever words. */
const leastDoubted = 0.2;

/**
 * Compares an answer with an expected one as a careful reader would: form does not count (case, typography, Markdown,
 * the notation of numbers), and where the expected answer states numbers, units, dates, identifiers, operators or a
 * denial, others are not the same. Words keep their partial score. Takes time in proportion to the lengths.
 */
export function compareTexts(
  answer: string,
  expected: string,
  options: TextComparisonOptions = {},
): TextComparison {
  const said = withoutThoughts(answer);
  if (said === expected) return { outcome: 'same', value: 1, by: 'equality' };
  const wholes = [said, markedAnswer(said)].filter((text) => text !== undefined);
  const results = wholes.map((text) => compareWhole(text, expected, options));
  // What is marked as the answer is the answer, whatever was said on the way to it.
  const [whole, marked] = results as [TextComparison, TextComparison?];
  if (marked === undefined || whole.by === 'equality') return whole;
  if (marked.outcome === 'same' || marked.outcome === 'different' || whole.outcome !== 'same') {
    return marked.value >= whole.value || marked.outcome !== 'words' ? marked : whole;
  }
  return whole.by === 'number' || whole.by === 'yes or no' ? marked : whole;
}

function compareWhole(answer: string, expected: string, options: TextComparisonOptions): TextComparison {
  const { decimalMark = '.' } = options;
  const [given, wanted] = [prepareText(answer), prepareText(expected)];
  if (areEqual(given, wanted)) return { outcome: 'same', value: 1, by: 'equality' };
  const [givenTerms, wantedTerms] = withoutName(
    withBrackets(...alignTerms(readTerms(given, decimalMark), readTerms(wanted, decimalMark))),
  );
  if (wantedTerms.length === 0 || givenTerms.length === 0) return compareBare(given, wanted);
  const asked = readAsked(options.question ?? '', decimalMark);
  const found = matchTerms(givenTerms, wantedTerms, { ...asked, given, wanted });
  if (found.outcome === 'same')
    return { outcome: 'same', value: 1, by: found.by, explanation: found.explanation };
  const shared = likeness(givenTerms, wantedTerms);
  const lost = found.outcome === 'words' ? findLostWord(givenTerms, wantedTerms) : undefined;
  if (lost !== undefined && shared > 0) {
    const explanation = describeLookalike(answer, expected) ?? `“${lost}” is missing`;
    return { outcome: 'unclear', value: Math.min(shared, incomplete), by: 'words', explanation };
  }
  if (found.outcome === 'words') {
    const lookalike = shared === 1 ? undefined : describeLookalike(answer, expected);
    return { outcome: 'words', value: shared, by: 'words', explanation: lookalike };
  }
  const value =
    found.outcome === 'different' ? shared * contradicted : Math.max(leastDoubted, Math.min(shared, doubted));
  return { outcome: found.outcome, value, by: found.by, explanation: found.explanation };
}

const edges = /^["'\s]+|["'\s.!?,;:]+$/g;

/** Returns whether two prepared texts are equal but for the punctuation at their ends and their case. */
function areEqual(given: string, wanted: string): boolean {
  return given === wanted || (!beginOtherwise(given, wanted) && bare(given) === bare(wanted));
}

/** Returns whether two texts begin with different letters or digits of ASCII, so that they cannot be the same. */
function beginOtherwise(first: string, second: string): boolean {
  const [one, other] = [firstOf(first), firstOf(second)];
  return one !== undefined && other !== undefined && one !== other;
}

/** Returns the first character, in small letters, if it is a letter or digit of ASCII that no mark can follow. */
function firstOf(text: string): string | undefined {
  return /^[A-Za-z0-9](?:[\0-\x7f]|$)/.test(text) ? text.charAt(0).toLowerCase() : undefined;
}

/** Returns a prepared text in small letters without the punctuation at its ends; capitals stay in symbols such as MB. */
function bare(prepared: string): string {
  const short = prepared.length > 2000 ? prepared : prepared.replace(edges, '');
  return /\d ?\p{L}/u.test(short) ? short : foldForComparison(short);
}

const fewWords = 4;

/**
 * Returns a word that an answer lacks in any form: any of a short expected text, such as `New` of `New York`; of a longer
 * one, a word in whose place the answer has another: `in the store` for `in the app`.
 */
function findLostWord(given: readonly Term[], wanted: readonly Term[]): string | undefined {
  const [content, said] = [contentOf(wanted), contentOf(given)];
  const lost = withoutForms(content, said)[0];
  if (lost === undefined || content.length <= fewWords) return lost?.text;
  return withoutForms(said, content).length > 0 ? lost.text : undefined;
}

function contentOf(terms: readonly Term[]): Term[] {
  return terms.filter(({ kind, key }) => kind === 'word' && !functionWords.has(key));
}

/** Returns the words of a list that another one has in no form. */
function withoutForms(words: readonly Term[], others: readonly Term[]): Term[] {
  const said = new Set(others.map(({ key }) => key));
  const lost = words.filter(({ key }) => !said.has(key));
  if (lost.length === 0) return lost;
  const stems = new Set(others.map(({ key }) => stemOf(key)));
  return lost.filter(({ key }) => !stems.has(stemOf(key)));
}

/** Returns what forms of a word share, as a rule of thumb: `cost` and `costs`. */
function stemOf(key: string): string {
  return key.length > 4 ? key.slice(0, Math.max(4, key.length - 3)) : key.replace(/s$/, '');
}

/** Keeps brackets where the expected text is code or mathematics. */
function withBrackets(given: readonly Term[], wanted: readonly Term[]): [readonly Term[], readonly Term[]] {
  const hasSigns = [given, wanted].some((terms) => terms.some(({ kind }) => kind === 'sign'));
  if (!hasSigns) return [given, wanted];
  const isBracket = ({ kind, key }: Term) => kind === 'sign' && /^(?:glued)?[()[\]{}]$/.test(key);
  const isCode =
    wanted.some((term) => term.kind === 'sign' && (!isBracket(term) || term.key.startsWith('glued'))) ||
    (isInterval(wanted) && given.some(isBracket));
  const keep = (terms: readonly Term[]) =>
    isCode
      ? terms.map((term) => (isBracket(term) ? { ...term, key: term.key.slice(-1) } : term))
      : terms.filter((term) => !isBracket(term));
  return [keep(given), keep(wanted)];
}

/** Leaves out the name of an expected value where the answer is as short as the value: `5` for `x = 5`. */
function withoutName([given, wanted]: [readonly Term[], readonly Term[]]): [
  readonly Term[],
  readonly Term[],
] {
  const [name, sign, ...value] = wanted;
  const isNamed = name?.kind === 'word' && name.key.length === 1 && sign?.key === '=';
  const isShort = given.length === value.length && !given.some(({ key }) => key === '=');
  return isNamed && isShort && value.length > 0 ? [given, value] : [given, wanted];
}

/** Returns whether terms end with two numbers in brackets: `[0, 1)`, `x in (-∞, 3)`. */
function isInterval(terms: readonly Term[]): boolean {
  const [open, first, second, close] = terms.slice(-4);
  const isEnd = (term?: Term) => term?.kind === 'number' || term?.kind === 'picture' || term?.kind === 'word';
  return (
    /^(?:glued)?[([]$/.test(open?.key ?? '') &&
    isEnd(first) &&
    isEnd(second) &&
    /^[)\]]$/.test(close?.key ?? '')
  );
}

/** Compares texts of which one has nothing to read: signs alone. */
function compareBare(given: string, wanted: string): TextComparison {
  const isSame = foldForComparison(given) === foldForComparison(wanted);
  return { outcome: isSame ? 'same' : 'words', value: isSame ? 1 : 0, by: isSame ? 'equality' : 'words' };
}

/** Returns the harmonic mean of precision and recall over terms with their counts, as SQuAD does over words. */
function likeness(given: readonly Term[], wanted: readonly Term[]): number {
  const [first, second] = [given, wanted].map((terms) => terms.filter(({ kind }) => kind !== 'picture')) as [
    Term[],
    Term[],
  ];
  const left = countItems(second.map(({ key }) => key));
  let shared = 0;
  for (const { key } of first) {
    const count = left.get(key) ?? 0;
    if (count === 0) continue;
    shared++;
    left.set(key, count - 1);
  }
  return shared === 0 ? 0 : (2 * shared) / (first.length + second.length);
}

const scripts = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Cherokee',
  'Hebrew',
  'Arabic',
  'Han',
  'Hiragana',
  'Katakana',
].map((name) => ({ name, pattern: new RegExp(`\\p{Script=${name}}`, 'u') }));

const shown = 3;
/** A text of Latin letters and the usual typography, none of which is folded to a letter of another script. */
// eslint-disable-next-line no-control-regex
const western = /^[\0-\x7f\u00a0\u00c0-\u024f\u2010-\u201f\u2026\u20ac]*$/;

/**
 * Returns which characters differ where two texts look alike, with their scripts and code points: `“а” (Cyrillic,
 * U+0430) is not “a” (Latin, U+0061)`. Returns undefined for texts that a reader can tell apart.
 */
function describeLookalike(given: string, wanted: string): string | undefined {
  if (given.length > 2000 || wanted.length > 2000) return undefined;
  if (western.test(given) && western.test(wanted)) return undefined;
  const [first, second] = [Array.from(foldForComparison(given)), Array.from(foldForComparison(wanted))];
  if (first.length !== second.length) return undefined;
  const pairs = first.flatMap((character, index) => {
    const other = second[index] ?? '';
    return character === other ? [] : [[character, other] as const];
  });
  if (pairs.length === 0 || !pairs.every(([one, other]) => latinTwin(one) === latinTwin(other)))
    return undefined;
  return pairs
    .slice(0, shown)
    .map(([one, other]) => `${nameOf(one)} is not ${nameOf(other)}`)
    .join(', ');
}

function nameOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const script = scripts.find(({ pattern }) => pattern.test(character))?.name;
  return `“${character}” (${script === undefined ? '' : `${script}, `}U+${code})`;
}
