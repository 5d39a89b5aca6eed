import { type Truth, truthOf } from '../../../core/schema/expected.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { tolerance } from '../grades.ts';
import type { CriterionUse } from '../scorecard.ts';

/** A criterion that is true or false, with phrases for explanations. */
export interface BinaryCriterion extends CriterionUse {
  readonly whenTrue?: string;
  readonly whenFalse?: string;
}

/** The result of one criterion. */
export interface Mark {
  readonly criterion: BinaryCriterion;
  readonly truth: Truth;
  /**
   * True when the criterion is as it should be (true, or false for a negative one); null when that was not measured or
   * does not apply.
   */
  readonly isMet: boolean | null;
  /** The reason in the metric's words. */
  readonly note: string | undefined;
}

/** Returns the marks of all criteria, in their order. */
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

/** The score, and its bounds if all unmeasured criteria were missed or met. */
export interface ScoreRange {
  /** The score, or null when a criterion with a weight was not measured. */
  readonly total: number | null;
  readonly lower: number;
  readonly upper: number;
  /** The divisor of the weights of applicable criteria that makes them add up to 1. */
  readonly scale: number;
}

/**
 * Returns the sum of the weights of true criteria, less the weights of true negative ones, never below 0. An inapplicable
 * criterion gives its weight to the others; undefined when none applies.
 */
export function scoreRange(marks: readonly Mark[]): ScoreRange | undefined {
  const counted = marks.filter(({ criterion, truth }) => criterion.weight > 0 && truth !== 'not-applicable');
  const positive = counted.filter(({ criterion }) => criterion.negative !== true);
  const weights = sumOfWeights(positive);
  if (weights === 0) return undefined;
  const scale = Math.abs(weights - 1) < tolerance ? 1 : weights;
  const negative = counted.filter(({ criterion }) => criterion.negative === true);
  const scoreIf = (unknown: boolean): number => {
    const gained = sumOfWeights(positive.filter(({ isMet }) => isMet ?? unknown)) / scale;
    const lost = sumOfWeights(negative.filter(({ isMet }) => !(isMet ?? unknown)));
    return Math.min(1, Math.max(0, gained - lost));
  };
  const [lower, upper] = [scoreIf(false), scoreIf(true)];
  return { total: counted.some(({ isMet }) => isMet === null) ? null : lower, lower, upper, scale };
}

function sumOfWeights(marks: readonly Mark[]): number {
  return marks.reduce((sum, { criterion }) => sum + criterion.weight, 0);
}
