import type { Surroundings, TermMatch } from './comparison.ts';
import { functionWords } from './function-words.ts';
import { adjuncts, leadingTerms } from './other-meanings.ts';
import type { Term } from './term.ts';

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
