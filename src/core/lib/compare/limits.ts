import { weekdayOf } from '../text/abbreviations.ts';
import type { Quantity } from './quantity.ts';
import type { Term } from './term.ts';

type Bound = NonNullable<Quantity['bound']>;

const bounds: readonly (readonly [pattern: RegExp, bound: Bound])[] = [
  [
    /(?:>=|at least|minimum(?: of)?|min\.?|no less than|not less than|mindestens|au moins|al menos)\s+$/i,
    'at least',
  ],
  [
    /(?:<=|at most|up to|maximum(?: of)?|max\.?|no more than|not more than|höchstens|bis zu|maximal)\s+$/i,
    'at most',
  ],
  [
    /(?:more than|greater than|over|above|exceeds|exceeding|longer than|later than|mehr als|über)\s+$|(?:^|[(,;:] ?)>\s?$/i,
    'more than',
  ],
  [
    /(?:less than|fewer than|under|below|shorter than|earlier than|weniger als|unter)\s+$|(?:^|[(,;:] ?)<\s?$/i,
    'less than',
  ],
];
const denied =
  /(?:(?:\b(?:not|isn't|wasn't|instead of|rather than|never|nicht|kein|statt))\s+(?:a |an |the |about |exactly )?)$/i;

const boundsAfter: readonly (readonly [pattern: RegExp, bound: Bound])[] = [
  [
    /^(?:\s\p{L}{2,20})? (?:(?:or|and) (?:more|above|up|over|longer|later|older|greater)|minimum|min\.?|at (?:the )?least)(?!\p{L})/iu,
    'at least',
  ],
  [
    /^(?:\s\p{L}{2,20})? (?:or (?:less|fewer|below|under|younger|earlier|shorter)|maximum|max\.?|at (?:the )?most)(?!\p{L})/iu,
    'at most',
  ],
];

/** The beginnings of what may stand after a number as its limit: most numbers have none of it. */
const mayLimitAfter = /\+|(?:\s\p{L}{2,20})? (?:or|and|min|max|at) ?\p{L}?/iuy;
/** Signs and words that a limit or denial before a number has. */
const mayLimitBefore =
  /[<>=]|least|min|less|most|to\s|max|more|than|over|above|exceed|under|below|not|n't|of\s|never|nicht|kein|statt|mindestens|moins|menos|höchstens|zu\s|über|unter/i;

const plus = /^\+(?!\s?[\p{L}\d(+=])/u;

/** Reads a limit that comes after its number: `8 characters or more`, `10 GB maximum`, `18+`. */
export function readAfter(text: string, end: number): Pick<Quantity, 'bound' | 'boundEnd'> | undefined {
  mayLimitAfter.lastIndex = end;
  if (!mayLimitAfter.test(text)) return undefined;
  const after = text.slice(end, end + 48);
  if (plus.test(after)) return { bound: 'at least', boundEnd: end + 1 };
  for (const [pattern, bound] of boundsAfter) {
    const found = pattern.exec(after);
    if (found !== null) return { bound, boundEnd: end + found[0].length };
  }
  return undefined;
}

/** Reads a limit or a denial that comes before a number: `at least 18`, `not 43`. */
export function readBefore(before: string): Pick<Quantity, 'bound' | 'isDenied'> {
  if (!mayLimitBefore.test(before)) return {};
  const bound = bounds.find(([pattern]) => pattern.test(before))?.[1];
  return { bound, isDenied: bound === undefined && denied.test(before) };
}

const limits = new Set(
  (
    'at least most up to no not more less fewer than over above under below maximum max minimum min of or and greater later longer ' +
    'mindestens höchstens bis zu maximal mehr weniger als über unter au moins al menos >= <= > <'
  ).split(' '),
);

/** Drops the words of a limit that its number has: `at least 18`, `8 characters or more`. */
export function dropBounds(terms: readonly Term[]): readonly Term[] {
  const bounded = terms.filter(({ quantity }) => quantity?.bound !== undefined);
  if (bounded.length === 0) return terms;
  const dropped = new Set<Term>();
  const places = new Map(terms.map((term, place) => [term, place]));
  for (const number of bounded) {
    const at = places.get(number) ?? 0;
    for (let before = at - 1; limits.has(terms[before]?.key ?? ''); before--)
      dropped.add(terms[before] as Term);
    const end = number.quantity?.boundEnd ?? 0;
    for (const term of terms.slice(at + 1, at + 6)) {
      if (term.end <= end && (limits.has(term.key) || term.key === '+')) dropped.add(term);
    }
  }
  return terms.filter((term) => !dropped.has(term));
}

const approximate = new Set(
  'about approximately around roughly circa ca approx etwa ungefähr rund environ aproximadamente'.split(' '),
);
const between = new Set('to through until till bis à'.split(' '));

/** Drops what only joins numbers or makes them approximate: `10 to 20`, `10 - 20`, `about 100`. */
export function dropBetween(all: readonly Term[], text: string): readonly Term[] {
  const terms = withSharedUnits(all);
  const kept = terms.filter((term, index) => {
    const next = terms[index + 1];
    if (next?.kind !== 'number') return true;
    const last = terms[index - 1];
    if (isRange(term, terms, index)) return false;
    if (term.kind === 'word' && approximate.has(term.key)) return false;
    if (last?.kind !== 'number') return true;
    if (term.kind === 'word' && between.has(term.key)) return false;
    return !(term.key === '-' && !text.slice(last.end, next.start).includes(' '));
  });
  const isTimes = ({ kind, key }: Term, index: number) =>
    kind === 'word' &&
    key === 'x' &&
    kept[index - 1]?.kind === 'number' &&
    kept[index + 1]?.kind === 'number';
  return kept.some(isTimes)
    ? kept.map((term, index) => (isTimes(term, index) ? { ...term, kind: 'sign', key: '*' } : term))
    : kept;
}

/** Gives the first number of a range the unit of the second one: `20-25 °C`, `2 to 3 weeks`, `between 5 and 10 minutes`. */
function withSharedUnits(terms: readonly Term[]): readonly Term[] {
  if (!terms.some(({ quantity }) => quantity?.unit !== undefined)) return terms;
  return terms.map((first, index) => {
    const [joint, second] = terms.slice(index + 1, index + 3);
    const begun = terms[index - 1];
    const isJoined =
      joint !== undefined &&
      (joint.key === '-' ||
        between.has(joint.key) ||
        (begun !== undefined && isRange(begun, terms, index - 1)));
    const { quantity } = first;
    const { unit, per } = second?.quantity ?? {};
    const isBare = quantity !== undefined && quantity.unit === undefined && quantity.currency === undefined;
    return isJoined && isBare && unit !== undefined
      ? { ...first, quantity: { ...quantity, unit, per } }
      : first;
  });
}

/** Returns whether a word begins a range: `between 5 and 10`. */
function isRange({ key }: Term, terms: readonly Term[], index: number): boolean {
  return (
    /^(?:between|zwischen|entre)$/.test(key) &&
    terms[index + 3]?.kind === 'number' &&
    /^(?:and|und|et|y)$/.test(terms[index + 2]?.key ?? '')
  );
}

/** Reads what joins two times or days of the week as one word, and drops what begins such a range: `from 9:00 until 17:00`. */
export function joinRanges(terms: readonly Term[]): readonly Term[] {
  if (!terms.some(({ key }) => key === '-' || key === 'to' || between.has(key))) return terms;
  const isPoint = (term?: Term) => term?.kind === 'time' || weekdayOf(term?.key ?? '') !== undefined;
  const joins = (at: number) => {
    const { key = '', kind } = terms[at] ?? {};
    const isJoint = kind !== undefined && (key === '-' || between.has(key));
    return isJoint && isPoint(terms[at - 1]) && isPoint(terms[at + 1]);
  };
  return terms.flatMap((term, at): readonly Term[] => {
    if (joins(at)) return [{ ...term, kind: 'word', key: 'to' }];
    return term.key === 'from' && joins(at + 2) ? [] : [term];
  });
}
