import { lazily } from '../lazily.ts';
import { countItems } from '../multiset.ts';
import { includesText } from '../text/words.ts';
import { hasOtherDenial } from './denials.ts';
import { compareTerms, type HardMatch, indexTerms, isHard, matchHard, type TermIndex } from './hard-terms.ts';
import type { Surroundings, TermMatch } from './comparison.ts';
import { matchValue } from './match-value.ts';
import { matchPolarity } from './polarity.ts';
import { matchRestated } from './restatement.ts';
import type { Term } from './term.ts';

const words: TermMatch = { outcome: 'words', by: 'words' };
/** Decides whether the terms of an answer say what is expected, something else, or differ in words alone. */
export function matchTerms(given: readonly Term[], wanted: readonly Term[], around: Surroundings): TermMatch {
  const polar = matchPolarity(given, wanted, around);
  if (polar !== undefined) return polar;
  const index = lazily(() => indexTerms(given));
  const value = matchValue(given, wanted, { ...around, index });
  if (value !== undefined) return value;
  const hard = matchAllHard(wanted, index);
  if (hard !== undefined) return hard;
  if (hasOtherDenial(given, wanted, around.given)) {
    return different(
      wanted.some(({ kind }) => kind === 'not') ? 'the denial is missing' : 'the answer denies it',
    );
  }
  const signs = matchSigns(given, wanted);
  if (signs !== undefined) return signs;
  const order = matchOrder(given, wanted);
  if (order !== undefined) return order;
  const lists = matchLists(given, wanted, around);
  if (lists !== undefined) return lists;
  const exchanged = findExchange(given, wanted, around.wanted);
  if (exchanged === undefined && areSameTerms(given, wanted)) return { outcome: 'same', by: 'terms' };
  const other = exchanged ?? findHedge(given, wanted);
  if (other !== undefined) return other;
  return matchRestated(given, wanted, around) ?? matchNames(given, wanted, around) ?? words;
}

function different(explanation: string): TermMatch {
  return { outcome: 'different', by: 'terms', explanation };
}

/** Returns what contradicts a number, date, address or the like that is expected; undefined when each one is stated. */
function matchAllHard(wanted: readonly Term[], index: () => TermIndex): TermMatch | undefined {
  let doubt: HardMatch | undefined;
  for (const [place, term] of wanted.entries()) {
    if (!isHard(term)) continue;
    const found = matchHard(term, index());
    if (found.outcome === 'other' && !isInOne(wanted, place, index())) return different(found.explanation);
    if (found.outcome === 'less') doubt ??= found;
  }
  return doubt === undefined
    ? undefined
    : { outcome: 'unclear', by: 'terms', explanation: doubt.explanation };
}

/** Returns whether a part of an identifier is given with its other part, as one: `SW1A1AA` for `SW1A 1AA`. */
function isInOne(wanted: readonly Term[], place: number, { byKey }: TermIndex): boolean {
  const neighbours = [
    [wanted[place], wanted[place + 1]],
    [wanted[place - 1], wanted[place]],
  ];
  return neighbours.some(
    ([first, second]) =>
      first?.kind === 'code' && second?.kind === 'code' && byKey.has(`${first.key}${second.key}`),
  );
}

const keysOf = (terms: readonly Term[]) => terms.map(({ key }) => key);

function areEqualLists(first: readonly string[], second: readonly string[]): boolean {
  return first.length === second.length && first.every((item, index) => item === second[index]);
}

function areSameTerms(given: readonly Term[], wanted: readonly Term[]): boolean {
  const isSame = (term: Term, other?: Term) =>
    other !== undefined &&
    (term.key === other.key || (isHard(term) && isHard(other) && compareTerms(other, term) === 'same'));
  // The same in other units: `14-21 days` for `2-3 weeks`.
  if (given.length === wanted.length && wanted.every((term, place) => isSame(term, given[place])))
    return true;
  const counting = (terms: readonly Term[]) =>
    keysOf(terms.filter(({ kind, key }) => kind !== 'picture' && !joining.has(key)));
  const [said, expected] = [counting(given), counting(wanted)];
  if (said.length === expected.length) {
    const [first, second] = [countItems(said), countItems(expected)];
    if (first.size === second.size && [...second].every(([key, count]) => first.get(key) === count))
      return true;
  }
  if (lengthOf(given) !== lengthOf(wanted)) return false;
  const joined = (terms: readonly Term[]) =>
    terms.map((term) => (isGlued(term) ? term.key : `\0${term.key}\0`)).join('');
  return joined(given) === joined(wanted);
}

/** Returns the length of the terms when they are joined. */
function lengthOf(terms: readonly Term[]): number {
  let length = 0;
  for (const term of terms) length += term.key.length + (isGlued(term) ? 0 : 2);
  return length;
}

/** Returns whether a term may be written as one with its neighbours: a word, or a part of an identifier such as `SW1A 1AA`. */
function isGlued({ kind, key }: Term): boolean {
  return kind === 'word' || (kind === 'code' && /^[\p{L}\p{N}]+$/u.test(key));
}

const joining = new Set(['and', 'und', 'et', 'y', 'e', 'per']);

const isPicture = ({ kind }: Term) => kind === 'picture';
const isSign = ({ kind }: Term) => kind === 'sign';

/** Compares operators, brackets and pictures; undefined where they are the same. */
function matchSigns(given: readonly Term[], wanted: readonly Term[]): TermMatch | undefined {
  if (![given, wanted].some((terms) => terms.some((term) => isPicture(term) || isSign(term))))
    return undefined;
  const pictures = new Set(keysOf(given.filter(isPicture)));
  const lost = wanted.find((term) => isPicture(term) && !pictures.has(term.key));
  if (lost !== undefined) return different(`“${lost.text}” is missing`);
  const [all, allWanted] = [given, wanted].map((terms) => terms.filter((term) => !isPicture(term))) as [
    Term[],
    Term[],
  ];
  return wanted.some(isSign) ? matchCode(all, allWanted) : matchPlain(all, allWanted);
}

/** Compares a text in which no sign is expected. */
function matchPlain(given: readonly Term[], wanted: readonly Term[]): TermMatch | undefined {
  const [inner] = given.slice(1, -1).filter(isSign);
  const words = (terms: readonly Term[]) =>
    keysOf(terms.filter((term) => !isSign(term) && !joining.has(term.key)));
  const isElseEqual = areEqualLists(words(given), words(wanted));
  return inner !== undefined && isElseEqual ? different(`“${inner.text}” was not expected`) : undefined;
}

/** Compares code and mathematics: the order counts, and every name. */
function matchCode(given: readonly Term[], wanted: readonly Term[]): TermMatch {
  const [all, allWanted] = [keysOf(given), keysOf(wanted)];
  if (areEqualLists(all, allWanted)) return { outcome: 'same', by: 'terms' };
  const [signs, expected] = [keysOf(given.filter(isSign)), keysOf(wanted.filter(isSign))];
  if (!areEqualLists(signs, expected)) {
    const place = expected.findIndex((sign, index) => signs[index] !== sign);
    const [other, sign] = place < 0 ? [signs[expected.length], undefined] : [signs[place], expected[place]];
    return different(`${quoted(other)} given, ${quoted(sign)} expected`);
  }
  const isInside = includesText(`\0${all.join('\0')}\0`, `\0${allWanted.join('\0')}\0`);
  const isMore = given.filter(isHard).length > wanted.filter(isHard).length;
  if (isInside && !isMore) return { outcome: 'same', by: 'terms' };
  const explanation = isInside
    ? 'the answer adds to it'
    : 'the signs are the same, the names or their order are not';
  return { outcome: 'unclear', by: 'terms', explanation };
}

function quoted(sign: string | undefined): string {
  return sign === undefined ? 'no sign' : `“${sign}”`;
}

/** Compares the order of numbers and of times: `10 of 20` is not `20 of 10`. */
function matchOrder(given: readonly Term[], wanted: readonly Term[]): TermMatch | undefined {
  const isOther = (['number', 'time'] as const).some((one) => {
    const [said, expected] = [given, wanted].map((terms) =>
      keysOf(terms.filter((term) => term.kind === one && !isFree(term))),
    ) as [string[], string[]];
    if (said.length !== expected.length || said.length < 2 || areEqualLists(said, expected)) return false;
    return areEqualLists(said.sort(), expected.sort());
  });
  return isOther ? different('the numbers are given in another order') : undefined;
}

/** Returns whether a number is a phrase that means none: `free of charge`. */
function isFree({ key, text }: Term): boolean {
  return key === '0' && !/\d/.test(text);
}

const separator = /[,;]|\n|\s(?:and|or|und|et|y)\s/u;

/** Compares lists of short items: one that is missing, or one too many, is no small difference of words. */
function matchLists(
  given: readonly Term[],
  wanted: readonly Term[],
  around: Surroundings,
): TermMatch | undefined {
  const expected = itemsOf(wanted, around.wanted);
  if (expected.length < 3 || !expected.every((item) => item.length <= 4)) return undefined;
  const said = new Set(keysOf(given));
  const lost = expected.find((item) => !item.every(({ key }) => said.has(key)));
  if (lost !== undefined)
    return {
      outcome: 'unclear',
      by: 'terms',
      explanation: `“${lost.map(({ text }) => text).join(' ')}” is missing`,
    };
  const known = new Set(keysOf(wanted));
  const items = itemsOf(given, around.given);
  const isKnown = (item?: Term[]) => item?.every(({ key }) => known.has(key)) === true;
  // Another choice of the list comes next to an expected one; further sentences may have lists of their own.
  const added =
    items.length > expected.length
      ? items.find(
          (item, at) =>
            item.every(({ key }) => !known.has(key)) && (isKnown(items[at - 1]) || isKnown(items[at + 1])),
        )
      : undefined;
  if (added === undefined) return undefined;
  return {
    outcome: 'unclear',
    by: 'terms',
    explanation: `“${added.map(({ text }) => text).join(' ')}” was not expected`,
  };
}

function itemsOf(terms: readonly Term[], text: string): Term[][] {
  const items: Term[][] = [[]];
  let end = 0;
  for (const term of terms) {
    if (joining.has(term.key) && term.kind === 'word') {
      end = Math.max(0, term.start - 1);
      continue;
    }
    if (
      term.start > end &&
      separator.test(text.slice(end, Math.min(term.start, end + 100))) &&
      items.at(-1)?.length !== 0
    )
      items.push([]);
    items.at(-1)?.push(term);
    end = term.end;
  }
  return items.filter((item) => item.length > 0);
}

const calendar = new Set(
  (
    'monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december ' +
    'montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli oktober dezember ' +
    'lundi mardi mercredi jeudi vendredi samedi dimanche red green blue yellow black white orange'
  ).split(' '),
);

/** Returns a contradiction between names: another weekday, month or name of a person or place. */
function matchNames(
  given: readonly Term[],
  wanted: readonly Term[],
  { areAsked }: Surroundings,
): TermMatch | undefined {
  const said = new Set(keysOf(given));
  const lost = wanted.filter(
    (term) => !said.has(term.key) && (term.isName === true || calendar.has(term.key)),
  );
  if (lost.length === 0) return undefined;
  const expected = new Set(keysOf(wanted));
  for (const isOne of [(term: Term) => calendar.has(term.key), (term: Term) => term.isName === true]) {
    const missing = lost.find((term) => isOne(term));
    if (missing === undefined) continue;
    const other = given.find((term) => isOne(term) && !expected.has(term.key) && !areAsked([term.key]));
    if (other === undefined) continue;
    const explanation = `“${other.text}” given, “${missing.text}” expected`;
    return calendar.has(missing.key)
      ? different(explanation)
      : { outcome: 'unclear', by: 'terms', explanation };
  }
  return undefined;
}

const linking = new Set('is are was were ist sind war est sont es son and or und oder et ou y'.split(' '));

/** Returns the words that changed places where nothing else differs: `Bob paid Alice` is not `Alice paid Bob`. */
function findExchange(given: readonly Term[], wanted: readonly Term[], text: string): TermMatch | undefined {
  if (given.length !== wanted.length) return undefined;
  const places = wanted.flatMap(({ key }, index) => (given[index]?.key === key ? [] : [index]));
  const [first, second] = places.map((place) => wanted[place]);
  if (places.length !== 2 || first === undefined || second === undefined) return undefined;
  const said = places.map((place) => given[place]?.key);
  if (said[0] !== second.key || said[1] !== first.key) return undefined;
  const between = wanted.slice((places[0] ?? 0) + 1, places[1]);
  const isFree =
    between.every(({ key }) => linking.has(key)) || /[,;]/.test(text.slice(first.end, second.start));
  const explanation = `“${first.text}” and “${second.text}” have changed places`;
  return isFree ? undefined : { outcome: 'unclear', by: 'terms', explanation };
}

const alternatives = new Set(['or', 'oder', 'ou', 'или']);

/** Returns another possible answer next to an expected one: `Paris or Lyon`. */
function findHedge(given: readonly Term[], wanted: readonly Term[]): TermMatch | undefined {
  if (wanted.length > 12 || wanted.some(({ key }) => alternatives.has(key))) return undefined;
  const [all, expected] = [given, wanted].map((terms) => terms.map(({ key }) => key)) as [string[], string[]];
  const start = all.findIndex((_, index) => expected.every((key, offset) => all[index + offset] === key));
  if (start < 0) return undefined;
  const isBeside = [all[start - 1], all[start + expected.length]].some((key) => alternatives.has(key ?? ''));
  const explanation = 'the answer names it as one of several';
  return isBeside ? { outcome: 'unclear', by: 'terms', explanation } : undefined;
}
