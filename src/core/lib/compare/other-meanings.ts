import type { TermMatch } from './comparison.ts';
import type { Term } from './term.ts';

const linking = new Set('is are was were ist sind war est sont es son and or und oder et ou y'.split(' '));

/** Returns the words that changed places where nothing else differs: `Bob paid Alice` is not `Alice paid Bob`. */
export function findExchange(
  given: readonly Term[],
  wanted: readonly Term[],
  text: string,
): TermMatch | undefined {
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

/** Returns what stands beside an expected answer as another possible one: `Paris or Lyon`. */
export function findHedge(given: readonly Term[], wanted: readonly Term[]): TermMatch | undefined {
  if (wanted.length > 12 || wanted.some(({ key }) => alternatives.has(key))) return undefined;
  const [all, expected] = [given, wanted].map((terms) => terms.map(({ key }) => key)) as [string[], string[]];
  const start = all.findIndex((_, index) => expected.every((key, offset) => all[index + offset] === key));
  if (start < 0) return undefined;
  const isBeside = [all[start - 1], all[start + expected.length]].some((key) => alternatives.has(key ?? ''));
  const explanation = 'the answer names it as one of several';
  return isBeside ? { outcome: 'unclear', by: 'terms', explanation } : undefined;
}

const firstEnd =
  /[.!?;](?=\s)|,\s(?=(?:which|who|whose|where|because|since|known|located)\b)|,?\s\(?(?=(?:and )?not\s)/iu;
const courtesy = /^(?:sure|certainly|of course|great question|good question|absolutely)[.!,]+\s+/i;
const takenBack =
  /\b(?:but|however|actually|wait|sorry|correction|instead|rather|although|though|or|no longer|unless|wrong|unsure|sure|guess|perhaps|maybe|might|aber|jedoch|sondern|oder)\b|\?/i;

const longest = 20_000;
const mostTerms = 40;

/** Returns where a time or a place may begin that an answer adds at its end, and takes nothing back: `… in 1928.` */
export function adjuncts(given: readonly Term[], text: string): readonly number[] {
  if (given.length > mostTerms || takenBack.test(text) || given.some(({ kind }) => kind === 'not')) return [];
  return given.flatMap(({ kind, key, start }, place) => {
    const isPlaced =
      kind === 'word' ? placing.has(key) : approximately.test(text.slice(Math.max(0, start - 8), start));
    return isPlaced && place > 1 ? [place] : [];
  });
}

const approximately = /(?<!\p{L})(?:around|about|circa) $/iu;

const placing = new Set('in at on around during circa'.split(' '));

/** Returns the terms of a first sentence that the rest of the answer only explains; undefined where it may take it back. */
export function leadingTerms(given: readonly Term[], text: string): readonly Term[] | undefined {
  const from = courtesy.exec(text)?.[0].length ?? 0;
  const end = firstEnd.exec(text.slice(from, from + 2000));
  const rest = text.slice(end === null ? 0 : from + end.index);
  const isBare = end === null && from === 0;
  if (isBare || (end !== null && (rest.length > longest || takenBack.test(rest)))) return undefined;
  const last = end === null ? text.length : from + end.index;
  return given.filter((term) => term.start >= from && term.end <= last);
}
