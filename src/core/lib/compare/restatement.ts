import type { Surroundings, TermMatch } from './comparison.ts';
import { functionWords, type Term } from './term.ts';

/** Finds an answer that states what is expected, and else repeats the question or explains it. */
export function matchRestated(
  given: readonly Term[],
  wanted: readonly Term[],
  around: Surroundings,
): TermMatch | undefined {
  // Most answers do not have the expected words next to each other at all.
  if (wanted.length > longestRestated || placeOf(given, wanted) < 0) return undefined;
  if (restates(given, wanted, around))
    return { outcome: 'same', by: 'restatement', explanation: 'the rest of the answer repeats the question' };
  if (adjuncts(given, around.given).some((end) => restates(given.slice(0, end), wanted, around, 1)))
    return {
      outcome: 'same',
      by: 'restatement',
      explanation: 'the rest of the answer repeats the question, and adds a time or a place',
    };
  const lead = leadingTerms(given, around.given);
  if (lead !== undefined && restates(lead, wanted, around))
    return { outcome: 'same', by: 'restatement', explanation: 'an explanation follows the answer' };
  return undefined;
}

const answering = new Set(
  'answer correct final result statement claim right called named known my your our their his her please sure antwort lautet réponse respuesta'.split(
    ' ',
  ),
);

const longestRestated = 12;
const mostRestating = 60;

/** Returns where all expected terms stand next to each other; -1 where they do not. */
function placeOf(given: readonly Term[], wanted: readonly Term[]): number {
  return given.findIndex((_, index) => wanted.every(({ key }, offset) => given[index + offset]?.key === key));
}

/** Returns whether an answer states what is expected and else only repeats the question: `The capital of France is Paris.` */
function restates(
  given: readonly Term[],
  wanted: readonly Term[],
  { areAsked }: Surroundings,
  leastRepeated = 0,
): boolean {
  const start = given.length > mostRestating ? -1 : placeOf(given, wanted);
  if (start < 0) return false;
  const rest = given.filter(
    ({ key, kind }, index) =>
      (index < start || index >= start + wanted.length) &&
      kind !== 'picture' &&
      !(kind === 'word' && (functionWords.has(key) || answering.has(key))),
  );
  if (!rest.every(({ kind }) => kind === 'word' || kind === 'number')) return false;
  return rest.length >= leastRepeated && areAsked(rest.map(({ key }) => key));
}

const firstEnd =
  /[.!?;](?=\s)|,\s(?=(?:which|who|whose|where|because|since|known|located)\b)|,?\s\(?(?=(?:and )?not\s)|\s(?=\((?:c\. |born |b\. )?\d{4}(?:\s?[-–]\s?\d{4})?\)[.!]?$)/iu;
const courtesy = /^(?:sure|certainly|of course|great question|good question|absolutely)[.!,]+\s+/i;
const takenBack =
  /\b(?:but|however|actually|wait|sorry|correction|instead|rather|although|though|or|no longer|unless|wrong|unsure|sure|guess|perhaps|maybe|might|aber|jedoch|sondern|oder)\b|\?/i;

const longest = 20_000;
const mostTerms = 40;

/** Returns where a time or a place may begin that an answer adds at its end, and takes nothing back: `… in 1928.` */
function adjuncts(given: readonly Term[], text: string): readonly number[] {
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
function leadingTerms(given: readonly Term[], text: string): readonly Term[] | undefined {
  const from = courtesy.exec(text)?.[0].length ?? 0;
  const end = firstEnd.exec(text.slice(from, from + 2000));
  const rest = text.slice(end === null ? 0 : from + end.index);
  const isBare = end === null && from === 0;
  if (isBare || (end !== null && (rest.length > longest || takenBack.test(rest)))) return undefined;
  const last = end === null ? text.length : from + end.index;
  return given.filter((term) => term.start >= from && term.end <= last);
}
