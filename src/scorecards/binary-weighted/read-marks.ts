import { type Truth, truthOf } from '../../schema/criterion-truth.ts';
import type { Verdict } from '../../schema/verdict.ts';
import type { CriterionUse } from '../scorecard.ts';

/** A criterion that is true or false, with what to say of it. */
export interface BinaryCriterion extends CriterionUse {
  readonly whenTrue?: string | undefined;
  readonly whenFalse?: string | undefined;
}

/** What came of one criterion. */
export interface Mark {
  readonly criterion: BinaryCriterion;
  readonly truth: Truth;
  /** Whether it is as it should be: true, or false where true is bad; null when that was not measured or does not apply. */
  readonly isMet: boolean | null;
  /** Why, in the words of the metric. */
  readonly note: string | undefined;
}

/** The marks of all criteria, in their order. */
export function readMarks(
  criteria: readonly BinaryCriterion[],
  verdicts: ReadonlyMap<string, Verdict>,
): Mark[] {
  return criteria.map((criterion) => {
    const verdict = verdicts.get(criterion.name);
    const truth = truthOf(criterion, verdict);
    const isKnown = truth === 'true' || truth === 'false';
    const isMet = isKnown ? (truth === 'true') !== (criterion.negative === true) : null;
    return { criterion, truth, isMet, note: noteOf(verdict, truth) };
  });
}

function noteOf(verdict: Verdict | undefined, truth: Truth): string | undefined {
  if (verdict === undefined) return 'there is no verdict';
  if (verdict.status !== 'scored') return verdict.reason;
  const { value, unit, explanation } = verdict;
  const amount = unit === undefined ? String(value) : `${value} ${unit}`;
  if (truth === 'not-measured') return `${amount} is neither true nor false; the criterion needs \`atLeast\``;
  return explanation ?? (unit === undefined && (value === 0 || value === 1) ? undefined : amount);
}
