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

/**
 * Reads the words of a fraction at a place: `one quarter of`, `half` as all that is said, or behind a number `thirds` of
 * `two thirds`, `and a half`. Undefined for anything else.
 * @param number - The number before the place, if there is one.
 */
export function readFraction(terms: readonly Term[], at: number, number?: Term): FractionWords | undefined {
  if (number !== undefined) return readRest(terms, at, number);
  const first = terms[at];
  if (first?.key === 'half') return isAlone(terms, at) ? made([first, first], [1n, 2n], 1) : undefined;
  if (first?.key !== 'one') return undefined;
  const rest = readRest(terms, at + 1, { ...first, quantity: asFoundNumber(1) });
  return rest && { ...rest, count: rest.count + 1 };
}

function readRest(terms: readonly Term[], at: number, number: Term): FractionWords | undefined {
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
