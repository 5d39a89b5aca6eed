import { hashContent } from '../../../core/lib/content-hash.ts';
import { QuestionIndex } from '../../lint/question-index.ts';
import type { CaseRef } from '../../lint/rule.ts';
import { describeNearness } from '../../lint/rules/near-duplicate.ts';
import { wordsOf } from '../../lint/question-words.ts';
import { type Candidate, documentsOf, valuesOf } from './candidate.ts';

/** A question that is known already: of the golden set, or of an open proposal. */
export interface KnownQuestion {
  /** Its name for messages: the id of a case or of a proposal. */
  readonly id: string;
  readonly question: string;
  readonly keywords: readonly string[];
  readonly documents: readonly string[];
  /** The id of the proposal that it is, or that it was made from. */
  readonly proposal?: string;
}

/** The least share of words that two questions with the same facts have in common to be duplicates. */
const leastShared = 0.3;

/**
 * Finds the candidates that say the same as a known question or an earlier candidate: by the duplicate check of `touchstone
 * lint`, or because they expect the same values of the same documents in similar words. Returns the reason by the number of
 * the candidate.
 */
export function findDuplicates(
  candidates: readonly Candidate[],
  known: readonly KnownQuestion[],
): Map<number, string> {
  const found = findSameQuestions(candidates, known);
  const byFacts = new Map<string, { readonly name: string; readonly words: ReadonlySet<string> }[]>();
  const add = (name: string, question: string, facts: readonly [readonly string[], readonly string[]]) => {
    const key = factsKey(...facts);
    if (key === undefined) return undefined;
    const words = new Set(wordsOf(question));
    const same = byFacts.get(key) ?? [];
    const near = same.find((other) => similarity(words, other.words) >= leastShared);
    byFacts.set(key, [...same, { name, words }]);
    return near?.name;
  };
  for (const { id, question, keywords, documents } of known) add(id, question, [keywords, documents]);
  for (const [index, candidate] of candidates.entries()) {
    if (found.has(index)) continue;
    const facts = [valuesOf(candidate), placesOf(candidate)] as const;
    const earlier = add(`question ${index + 1} of this draft`, candidate.question, facts);
    if (earlier !== undefined)
      found.set(index, `expects the same of the same source as ${earlier}, in similar words`);
  }
  return found;
}

/** The name that stands for every trace: several show the same fact. */
export const anyTrace = 'a trace';

function placesOf(candidate: Candidate): string[] {
  const isTrace = candidate.passages.some(({ trace }) => trace !== undefined);
  return isTrace ? [anyTrace] : documentsOf(candidate);
}

function factsKey(values: readonly string[], documents: readonly string[]): string | undefined {
  if (values.length === 0 || documents.length === 0) return undefined;
  return JSON.stringify([values.map((value) => value.toLowerCase()).toSorted(), documents.toSorted()]);
}

/** Returns the share of words of two questions that both have (Jaccard). */
function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((word) => other.has(word)).length;
  const all = one.size + other.size - both;
  return all === 0 ? 1 : both / all;
}

function findSameQuestions(
  candidates: readonly Candidate[],
  known: readonly KnownQuestion[],
): Map<number, string> {
  const index = new QuestionIndex();
  const add = (question: string, caseId: string, line: number | undefined) => {
    const place = { file: '', line };
    const ref: CaseRef = { caseId, place, isReference: line === undefined, skips: [] };
    // Only the question counts: expectations that differ do not make it another question.
    index.add({ ref, question, hash: hashContent([caseId, line, question]), surroundings: 0, expected: 0 });
  };
  for (const { id, question } of known) add(question, id, undefined);
  for (const [number, { question }] of candidates.entries())
    add(question, `question ${number + 1} of this draft`, number);
  const pairs = index.pairs().flatMap((pair): [number, string][] => {
    const number = pair.later.place.line;
    if (number === undefined) return [];
    return [[number, `says the same as ${pair.earlier.caseId}: ${describeNearness(pair)}`]];
  });
  return new Map(pairs);
}
