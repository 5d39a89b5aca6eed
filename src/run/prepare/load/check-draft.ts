import type { CaseDraft } from '../../../datasets/dataset.ts';
import { checkOnce } from '../../../lib/check-once.ts';
import { compileSchema } from '../../../lib/compile-schema.ts';
import { lazily } from '../../../lib/lazily.ts';
import { formatPlace, type Place } from '../../../errors.ts';
import { type Case, caseSchema, questionOf } from '../../../schema/case.ts';
import { hashCase } from '../hash-case.ts';
import { describeFault } from './describe-fault.ts';
import { type Fault, faultsOf, unstorablePath } from './find-faults.ts';
import type { Problem } from './problem-list.ts';

/** A case that has been checked, the hash of its content and where it stands in the user's files. */
export interface LoadedCase {
  readonly case: Case;
  readonly hash: string;
  readonly place: Place;
}

const compiledSchema = lazily(() => compileSchema(caseSchema));
const derivedIdDigits = 12;

/** Makes a draft a case, with an id made of its content when the file gives none; or says what is wrong with it. */
export function checkDraft(
  draft: CaseDraft,
  isOneOfMany = false,
): LoadedCase | { readonly problems: readonly Problem[] } {
  const { place, value, problem } = draft;
  if (problem !== undefined) {
    return { problems: [{ ...problem, message: `${formatPlace(problem.place)}: ${problem.message}` }] };
  }
  const isWithoutId = value?.['id'] === undefined;
  const named = isWithoutId ? withoutNeedOfId(value) : value;
  const { data, error } = isOneOfMany
    ? compiledSchema().safeParse(named)
    : caseSchema.safeParse(named, checkOnce);
  if (data === undefined) return withFaults(draft, faultsOf(error));
  if (!hasVisibleQuestion(data)) {
    return withFaults(draft, [{ path: ['input'], expected: 'a question that is not blank' }]);
  }
  const hash = tryHash(data);
  if (hash === undefined) {
    return withFaults(draft, [{ path: unstorablePath(value), expected: 'a value that JSON can hold' }]);
  }
  if (isWithoutId) data.id = derivedId(hash);
  return { case: data, hash, place };
}

/** The id of a case that has none in its file, from the hash of its content. */
export function derivedId(hash: string): string {
  return `case-${hash.slice(0, derivedIdDigits)}`;
}

/** A row that is no object is left for the schema to refuse. */
function withoutNeedOfId(value: CaseDraft['value']): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? { ...value, id: 'derived' } : value;
}

function withFaults(draft: CaseDraft, faults: readonly Fault[]): { readonly problems: readonly Problem[] } {
  return { problems: faults.map((fault) => describeFault(fault, draft)) };
}

function hasVisibleQuestion(testCase: Case): boolean {
  return /[^\s\p{Cc}\p{Cf}]/u.test(questionOf(testCase));
}

/** Undefined for a case with a number that JSON cannot hold, as a YAML file may have, or nested beyond all measure. */
function tryHash(testCase: Case): string | undefined {
  try {
    return hashCase(testCase);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  }
}
