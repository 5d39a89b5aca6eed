import { asFoundNumber } from '../numbers/same-number.ts';
import type { Term } from './term.ts';
import { ofFraction, type Quantity } from './quantity.ts';

/** The denominators that words name; ordinals have the keys that they have as terms. */
const singular = new Map<string, number>([
  ['half', 2],
  ['3rd', 3],
  ['quarter', 4],
  ...[4, 5, 6, 7, 8, 9, 10].map((value) => [`${value}th`, value] as const),
]);
const plural = new Map<string, number>(
  'halves thirds quarters fourths fifths sixths sevenths eighths ninths tenths'
    .split(' ')
    .map((word, place) => [word, [2, 3, 4, 4, 5, 6, 7, 8, 9, 10][place] as number]),
);

/** Returns whether a word behind a number can make a fraction of it. */
export function beginsFraction(key: string | undefined): boolean {
  return key !== undefined && (key === 'and' || plural.has(key) || singular.has(key));
}

/** A number that words add to another one, and how many terms they are. */
export interface FractionWords {
  readonly term: Term;
  readonly count: number;
}

/** The words in the singular that can be a part of one: `half`, `third`. */
export const denominators: readonly string[] = [...singular.keys()];

/**
 * Reads a fraction that begins with a word: `one quarter of`, `a third of`, `half` before a unit or as all that is said.
 * Undefined for anything else.
 */
export function readPart(terms: readonly Term[], at: number, text: string): FractionWords | undefined {
  const first = terms[at];
  if (first === undefined) return undefined;
  if (first.key === 'one') {
    const rest = readFraction(terms, at + 1, { ...first, quantity: asFoundNumber(1) });
    return rest && { ...rest, count: rest.count + 1 };
  }
  const denominator = singular.get(first.key);
  if (denominator === undefined) return undefined;
  const part = first.key === 'half' ? isAlone(terms, at) && first : withArticle(first, terms[at + 1], text);
  return part ? made([part, part], [1n, BigInt(denominator)], 1) : undefined;
}

/** Returns a word with the `a` before it, if `of` or nothing follows: `a third party` is no part. */
function withArticle(word: Term, next: Term | undefined, text: string): Term | undefined {
  const start = word.start - 2;
  const isPart = next === undefined || next.key === 'of';
  if (!isPart || !/(?<!\p{L})a $/iu.test(text.slice(Math.max(0, start - 1), word.start))) return undefined;
  return { ...word, start, text: text.slice(start, word.end) };
}

/** Reads the words that make a fraction of the number before them: `thirds` of `two thirds`, `and a half`. */
export function readFraction(terms: readonly Term[], at: number, number: Term): FractionWords | undefined {
  const exact = number.quantity?.exact ?? '';
  const [next, last] = terms.slice(at, at + 2);
  if (next === undefined || !/^\d{1,4}$/.test(exact)) return undefined;
  const value = BigInt(exact);
  if (next.key === 'and' && last?.key === 'half') return made([number, last], [value * 2n + 1n, 2n], 2);
  const denominator = (value === 1n ? singular : plural).get(next.key);
  // `One third party` is no third.
  const isOther = value === 1n && last !== undefined && last.key !== 'of';
  return denominator === undefined || isOther
    ? undefined
    : made([number, next], [value, BigInt(denominator)], 1);
}

/** `half` is a number where nothing else is said, or before a unit. */
function isAlone(terms: readonly Term[], at: number): boolean {
  return (
    terms.length === 1 ||
    /^(?:hour|minute|second|day|week|month|year|mile|meter|metre|kilo|liter|litre)$/.test(
      terms[at + 1]?.key ?? '',
    )
  );
}

function made(
  [first, last]: readonly [Term, Term],
  [top, bottom]: readonly [bigint, bigint],
  count: number,
): FractionWords {
  const { exact, fraction } = ofFraction(top, bottom);
  const place = { start: first.start, end: last.end };
  const text = first === last ? first.text : `${first.text} … ${last.text}`;
  const number = { ...asFoundNumber(0), exact, value: Number(exact) };
  const quantity: Quantity = { ...number, ...place, text, ...(fraction !== undefined && { fraction }) };
  return { count, term: { kind: 'number', key: exact, text, ...place, quantity } };
}
