import { lazily } from '../../../core/lib/lazily.ts';
import { findTexts, findTextsOptions } from '../../../evaluate/metrics/text/search-text.ts';
import type {
  DraftCheck,
  DraftFact,
  QuestionKind,
  Rejection,
} from '../../../core/schema/api/draft-report.ts';
import type { WrittenQuestions } from '../asking/prompts.ts';
import type { Passage } from '../documents/document.ts';
import type { DraftTask } from '../plan-draft.ts';

/** A question as the model wrote it, with the passages that it is about. */
export interface Candidate {
  readonly kind: QuestionKind;
  readonly passages: readonly Passage[];
  readonly question: string;
  /** Null for a question that the documents do not answer. */
  readonly answer: string | null;
  /** The facts whose passage exists; `unplaced` counts the others. */
  readonly facts: readonly DraftFact[];
  readonly unplaced: number;
  /** The category that the model chose; empty when it chose none. */
  readonly category: string;
}

/** The outcome of a check; a failed one has the reason why the question is not proposed. */
export interface CheckOutcome extends DraftCheck {
  readonly rejection?: Rejection;
}

/** The longest name of a category, in UTF-16 code units. */
const longestCategory = 100;

/** Reads the candidates of a reply: at most as many as were asked for. */
export function readCandidates(
  { kind, passages, questions: most }: DraftTask,
  { questions }: WrittenQuestions,
): Candidate[] {
  return questions.slice(0, most).map(({ question, answer, category, facts }) => {
    const placed = facts.flatMap(({ value, quote, passage: number }): DraftFact[] => {
      const passage = passages[number - 1];
      return passage === undefined ? [] : [{ value, quote, document: passage.document, passage: passage.id }];
    });
    return {
      kind,
      passages,
      question: question.replaceAll(/\s+/g, ' '),
      answer: kind === 'unanswerable' ? null : answer,
      facts: placed,
      unplaced: facts.length - placed.length,
      category: category.replaceAll(/\s+/g, ' ').slice(0, longestCategory).toWellFormed(),
    };
  });
}

/** Returns the ids of the documents that a good answer needs, each once, in the order of the facts. */
export function documentsOf({ facts }: Pick<Candidate, 'facts'>): string[] {
  return [...new Set(facts.map(({ document }) => document))];
}

/** Returns the texts that a good answer contains, each once. */
export function valuesOf({ facts }: { readonly facts: readonly Pick<DraftFact, 'value'>[] }): string[] {
  return [...new Set(facts.map(({ value }) => value))];
}

const options = lazily(() => findTextsOptions().parse({ match: 'word', numbers: true }));

/**
 * Returns the share of values that a text contains, from 0 to 1: as whole words, whatever their letter case, and numbers by
 * their value. Returns 0 for an empty list.
 */
export function shareOfValues(values: readonly string[], text: string): number {
  if (values.length === 0) return 0;
  const verdict = findTexts(values, text, options());
  return verdict.status === 'scored' ? verdict.value : 0;
}
