import type { Place } from '../../core/errors.ts';
import { hashContent } from '../../core/lib/content-hash.ts';
import { isContainer } from '../../core/lib/json/is-container.ts';
import { type Case, questionOf } from '../../core/schema/case.ts';
import { expectationsOf } from '../../core/schema/expectation.ts';
import { hashWord, type IndexedQuestion } from './question-index.ts';
import type { CaseRef } from './rule.ts';

/** The tag by which a case switches a rule off for itself. */
const skipTag = 'lint-skip:';

const noSkips: readonly string[] = [];

/** Returns the small form of a case to which findings point. */
export function refTo({ id, tags }: Pick<Case, 'id' | 'tags'>, place: Place, isReference: boolean): CaseRef {
  const skips = tags.filter((tag) => tag.startsWith(skipTag)).map((tag) => tag.slice(skipTag.length));
  return { caseId: id, place, isReference, skips: skips.length === 0 ? noSkips : skips };
}

/** Returns the question of a case in the form in which questions are compared. `hash` is the hash of the whole content. */
export function toIndexed(testCase: Case, hash: string, ref: CaseRef): IndexedQuestion {
  const hasExpectations = expectationsOf(testCase).length > 0;
  return {
    ref,
    question: questionOf(testCase),
    hash,
    surroundings: hashSurroundings(testCase),
    expected: hasExpectations ? hashWord(hashContent(testCase.expected)) : 0,
  };
}

/** Returns the hash of what else makes a question another one; 0 when there is nothing but the question. */
function hashSurroundings({ input, user, context, metadata }: Case): number {
  const before = typeof input === 'string' || input.length === 1 ? undefined : input.slice(0, -1);
  // The origin names where a case is from, and asks nothing.
  const parts = Object.entries(metadata).filter(([name, value]) => name !== 'origin' && isContainer(value));
  if (before === undefined && user === undefined && context === undefined && parts.length === 0) return 0;
  return hashWord(hashContent({ before, user, context, metadata: Object.fromEntries(parts) }));
}
