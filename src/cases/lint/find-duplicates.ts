import { hashCase } from '../../evaluate/run/prepare/check-draft.ts';
import type { Case } from '../../core/schema/case.ts';
import { refTo, toIndexed } from './index-case.ts';
import { QuestionIndex } from './question-index.ts';
import { describeNearness } from './rules/near-duplicate.ts';

/** A case that asks the same as another one. */
export interface Duplicate {
  /** The id of the other case. */
  readonly caseId: string;
  /** True when the other case is one of the candidates, not of the known cases. */
  readonly isCandidate: boolean;
  /** The share of the words that both have, from 0 to 1. */
  readonly similarity: number;
  /** The difference, as a phrase. */
  readonly difference: string;
}

/**
 * Finds the candidates whose question is asked by a known case or by an earlier candidate, as the rule `near-duplicate` does.
 * Returns the duplicate of each candidate in their order; undefined where there is none.
 */
export function findDuplicates(
  known: readonly Case[],
  candidates: readonly Case[],
): (Duplicate | undefined)[] {
  const index = new QuestionIndex();
  const add = ({ id, input, user }: Case, line: number, isReference: boolean) => {
    // Only what is asked counts here: a candidate may expect something else, or nothing yet.
    const testCase: Case = { id, input, user, tags: [], expected: {}, metadata: {} };
    const ref = refTo(testCase, { file: isReference ? 'known' : 'candidates', line }, isReference);
    index.add(toIndexed(testCase, hashCase(testCase), ref));
  };
  for (const [line, each] of known.entries()) add(each, line, true);
  for (const [line, each] of candidates.entries()) add(each, line, false);
  const found = candidates.map((): Duplicate | undefined => undefined);
  for (const pair of index.pairs()) {
    found[pair.later.place.line ?? 0] = {
      caseId: pair.earlier.caseId,
      isCandidate: !pair.earlier.isReference,
      similarity: pair.similarity,
      difference: describeNearness({
        ...pair,
        difference: pair.difference.type === 'copy' ? { type: 'same-text' } : pair.difference,
      }),
    };
  }
  return found;
}
