import { checkConfidence, checkDomain } from '../check-domain.ts';
import { defaultConfidence } from '../interval.ts';
import { normalQuantile } from '../normal.ts';

/** How sure a planned comparison is to be. */
export type PlanLevel = {
  /** Chance to find what is planned for, if it is there; 0.8 when not given. */
  readonly power?: number;
  /** Confidence level of the test, strictly between 0 and 1; 0.95 when not given. */
  readonly confidence?: number;
};

/** How many questions a plan takes, with the level it was made for. */
export type SampleSize = Required<PlanLevel> & {
  readonly status: 'defined';
  /** Questions, a whole number. */
  readonly n: number;
  /** The same before rounding up. */
  readonly unrounded: number;
};

/** The two normal quantiles of a plan: z of the test, and z of the power. */
export type PlanQuantiles = Required<PlanLevel> & { readonly zTest: number; readonly zPower: number };

/**
 * The quantiles of a plan for a test with one or two sides.
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

/** A plan's whole number of questions, at least 1. */
export function toSampleSize(unrounded: number, { power, confidence }: Required<PlanLevel>): SampleSize {
  // A plan that comes out whole is not rounded up by the last digit.
  const n = Math.max(1, Math.ceil(unrounded * (1 - 4 * Number.EPSILON)));
  return { status: 'defined', n, unrounded, power, confidence };
}
