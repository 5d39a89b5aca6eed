import { negateDecimal } from '../numbers/decimal.ts';
import { asFoundNumber } from '../numbers/same-number.ts';
import type { Quantity } from './quantity.ts';
import type { Term } from './term.ts';
import { type Unit, unitOf } from './units.ts';

const small = [
  'zero one two three four five six seven eight nine ten',
  'eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
]
  .join(' ')
  .split(' ');
const tens = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const scales: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1000,
  million: 1_000_000,
  billion: 1e9,
};

/**
 * Reads the English number that begins with a word: `three`, `twenty one`, `two hundred`. Returns undefined for other
 * words, and for `one` alone, which is often no number.
 */
function wordNumber(
  terms: readonly Term[],
  from: number,
): { readonly term: Term; readonly count: number } | undefined {
  if (!values.has(terms[from]?.key ?? '')) return undefined;
  let sum: Sum = { total: 0, current: undefined };
  let count = 0;
  for (; count < mostWords; count++) {
    const term = terms[from + count];
    const next = term?.kind === 'word' ? addWord(sum, valueOf(term.key)) : undefined;
    if (next === undefined) break;
    sum = next;
  }
  const { total, current } = sum;
  if (current === undefined || (count === 1 && current === 1)) return undefined;
  const [first, last] = [terms[from] as Term, terms[from + count - 1] as Term];
  const number = asFoundNumber(total + current);
  const place = { start: first.start, end: last.end };
  const text = terms
    .slice(from, from + count)
    .map((term) => term.text)
    .join(' ');
  return {
    count,
    term: { kind: 'number', key: number.exact, text, ...place, quantity: { ...number, ...place, text } },
  };
}

/** Small numbers of other languages, without the words that mean something else as well. */
const others: readonly (readonly [word: string, value: number])[] = [
  'zwei drei vier fünf sechs sieben acht neun zehn',
  'deux trois quatre cinq - - huit - dix',
  '- tres cuatro cinco - siete ocho nueve diez',
].flatMap((list) =>
  list.split(' ').flatMap((word, place) => (word === '-' ? [] : [[word, place + 2] as const])),
);

const mostWords = 8;

interface Sum {
  readonly total: number;
  readonly current: number | undefined;
}

/** Adds the value of one more word; undefined when it does not continue the number. */
function addWord({ total, current }: Sum, value: number | undefined): Sum | undefined {
  if (value === undefined) return undefined;
  if (value < 100) {
    const isUnit = current !== undefined && current % 10 === 0 && current % 100 >= 20 && value < 10;
    const isRest = current !== undefined && current % 100 === 0;
    return current === undefined || isUnit || isRest ? { total, current: (current ?? 0) + value } : undefined;
  }
  if (current === undefined) return undefined;
  return value === 100 ? { total, current: current * 100 } : { total: total + current * value, current: 0 };
}

const values = new Map<string, number>([
  ...small.map((word, value) => [word, value] as const),
  ...tens.slice(2).map((word, place) => [word, (place + 2) * 10] as const),
  ...Object.entries(scales),
  ...others.map(([word, value]) => [word, value] as const),
]);

function valueOf(key: string): number | undefined {
  return values.get(key);
}

/** Joins number words to numbers: `twenty-one`, `two hundred`. */
export function joinNumberWords(terms: readonly Term[]): readonly Term[] {
  if (!terms.some(({ key }) => values.has(key))) return terms;
  const joined: Term[] = [];
  for (let index = 0; index < terms.length; index++) {
    const term = terms[index] as Term;
    const read = term.kind === 'word' ? wordNumber(terms, index) : undefined;
    if (read === undefined) joined.push(term);
    else {
      const isNegative = isMinus(joined.at(-1));
      if (isNegative) joined.pop();
      joined.push(isNegative ? negated(read.term) : read.term);
      index += read.count - 1;
      const next = terms[index + 1];
      if (next !== undefined && percents.has(next.key)) {
        joined.push(asPercent(joined.pop() as Term, next));
        index++;
        continue;
      }
      const unit = next?.kind === 'word' && next.text.length > 1 ? unitOf(next.text) : undefined;
      if (next === undefined || unit === undefined) continue;
      joined.push(withUnit(joined.pop() as Term, next, unit));
      index++;
    }
  }
  return joined;
}

const percents = new Set(['percent', 'prozent']);

function asPercent(number: Term, word: Term): Term {
  const place = { end: word.end, text: `${number.text} ${word.text}` };
  return { ...number, ...place, quantity: { ...(number.quantity as Quantity), ...place, isPercent: true } };
}

function isMinus(term: Term | undefined): boolean {
  return term?.kind === 'word' && (term.key === 'minus' || term.key === 'negative');
}

function negated(number: Term): Term {
  const quantity = number.quantity as Quantity;
  const exact = negateDecimal(quantity.exact);
  return { ...number, key: exact, quantity: { ...quantity, exact, value: -quantity.value } };
}

function withUnit(number: Term, word: Term, unit: Unit): Term {
  const place = { end: word.end, text: `${number.text} ${word.text}` };
  return { ...number, ...place, quantity: { ...(number.quantity as Quantity), ...place, unit } };
}

/** The ordinals in words, each as it is written with digits. */
export const ordinals: ReadonlyMap<string, string> = new Map(
  'first second third fourth fifth sixth seventh eighth ninth tenth'
    .split(' ')
    .map((word, index) => [word, ['1st', '2nd', '3rd'][index] ?? `${index + 1}th`]),
);
