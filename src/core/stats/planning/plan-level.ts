import { checkConfidence, checkDomain } from '../check-domain.ts';
import { defaultConfidence } from '../interval.ts';
import { normalQuantile } from '../normal.ts';

/** The certainty of a planned comparison. */
export type PlanLevel = {
  /** The chance of detecting the planned difference if it exists; 0.8 by default. */
  readonly power?: number;
  /** Confidence level of the test, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

/** The number of questions of a plan, with the level of the plan. */
export type SampleSize = Required<PlanLevel> & {
  readonly status: 'defined';
  /** The number of questions, a whole number. */
  readonly n: number;
  /** The number of questions before rounding up. */
  readonly unrounded: number;
};

/** The two normal quantiles of a plan: z of the test, and z of the power. */
export type PlanQuantiles = Required<PlanLevel> & { readonly zTest: number; readonly zPower: number };

/**
 * Returns the quantiles of a plan for a test with one or two sides.
 *
 * @throws RangeError unless confidence and power are strictly between 0 and 1.
 */
export function planQuantiles(
  { power = 0.8, confidence = defaultConfidence }: PlanLevel,
  sides: 1 | 2,
): PlanQuantiles {
  checkConfidence(confidence);
  checkDomain(power > 0 && power < 1, 'power', power, 'between 0 and 1, both excluded');
  return {
    power,
    confidence,
    zTest: -normalQuantile((1 - confidence) / sides),
    zPower: normalQuantile(power),
  };
}

/** Returns the whole number of questions of a plan, at least 1. */
export function toSampleSize(unrounded: number, { power, confidence }: Required<PlanLevel>): SampleSize {
  // A plan that is a whole number is not rounded up because of its last digit.
  const n = Math.max(1, Math.ceil(unrounded * (1 - 4 * Number.EPSILON)));
  return { status: 'defined', n, unrounded, power, confidence };
}
