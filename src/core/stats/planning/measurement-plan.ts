import { checkDomain } from '../check-domain.ts';

/** Variances as {@link nestedVariance} returns them, the number of each part, and their costs. */
export type MeasurementPlanOptions = {
  /** The variance of true question means. */
  readonly questionVariance: number;
  /** The variance of true attempts at one question; 0 by default, as when it is part of the variance of questions. */
  readonly attemptVariance?: number;
  /**
   * The variance of samples of the judge; 0 by default, as when nothing is judged or it is part of the variance of
   * attempts.
   */
  readonly sampleVariance?: number;
  readonly questions: number;
  /** Attempts at each question, as a mean when they differ. */
  readonly attempts: number;
  /** Samples of each attempt; 1 by default. */
  readonly samples?: number;
  /** The cost of one attempt without its judging, in any unit; 1 by default. */
  readonly attemptCost?: number;
  /** The cost of one sample of the judge, in the same unit; 0 by default. */
  readonly sampleCost?: number;
};

/** A part of which more can be measured. */
export type MeasurementPart = 'questions' | 'attempts' | 'samples';

/** The effect of doubling one part. */
export type MeasurementChoice = {
  readonly twice: MeasurementPart;
  readonly standardError: number;
  /** The total cost relative to the present cost; a question costs no more than its attempts. */
  readonly costRatio: number;
};

/** The parts in which more measuring reduces the uncertainty of a mean. */
export type MeasurementPlan = {
  readonly standardError: number;
  readonly choices: readonly MeasurementChoice[];
  /** The part that reduces the variance most for slightly more money, if new questions cost only their attempts. */
  readonly best: MeasurementPart | null;
  /**
   * A price in attempts: if a question by itself costs more than this, one more attempt at every question is worth more
   * than more questions. Null when attempts have no noise, or none that is known.
   */
  readonly questionPrice: number | null;
};

/**
 * Decides where more measuring pays: more questions, more attempts at each, or more samples of the judge for each.
 *
 * Method: three-stage sampling (W. G. Cochran, Sampling Techniques (1977), sections 10.6 and 10.8): the variance of the
 * mean is (σ_q² + (σ_a² + σ_j² / J) / K) / n at a cost of n K (c_a + J c_j). A part is best when the variance falls
 * most in it for the same share of the cost; K is the best number of attempts where a question costs K² σ_q² / (σ_a² +
 * σ_j² / J) attempts with their judging (W. G. Cochran, Sampling Techniques (1977), section 10.6).
 *
 * @throws RangeError when a variance or a cost is negative or not finite, or a number is not positive and finite.
 */
export function measurementPlan(options: MeasurementPlanOptions): MeasurementPlan {
  const design = checkDesign(options);
  const { questions, attempts, samples, attemptCost, sampleCost, attemptVariance, sampleVariance } = design;
  const now = varianceOf(design);
  const costOf = (each: Design) => each.questions * each.attempts * (attemptCost + each.samples * sampleCost);
  const choices = (['questions', 'attempts', 'samples'] as const).map((twice) => {
    const changed = { ...design, [twice]: 2 * design[twice] };
    return {
      twice,
      standardError: Math.sqrt(varianceOf(changed)),
      costRatio: costOf(changed) / costOf(design),
    };
  });
  const ofSamples = sampleVariance / (questions * attempts * samples);
  const ofAttempts = attemptVariance / (questions * attempts) + ofSamples;
  const judging = (samples * sampleCost) / (attemptCost + samples * sampleCost);
  const noise = attemptVariance + sampleVariance / samples;
  return {
    standardError: Math.sqrt(now),
    choices,
    best: bestOf({ now, ofAttempts, ofSamples, judging }),
    questionPrice: noise === 0 ? null : (attempts ** 2 * design.questionVariance) / noise,
  };
}

type Design = Required<MeasurementPlanOptions>;

/**
 * Returns the part with the largest share of the variance of the mean relative to its share of the cost. A question is
 * worth as much as an attempt if questions do not differ.
 */
function bestOf({
  now,
  ofAttempts,
  ofSamples,
  judging,
}: Readonly<Record<'now' | 'ofAttempts' | 'ofSamples' | 'judging', number>>): MeasurementPart | null {
  if (now === 0) return null;
  if (ofSamples > judging * now) return 'samples';
  return ofAttempts >= now * (1 - 1e-9) ? 'attempts' : 'questions';
}

function varianceOf(design: Design): number {
  const { questions, attempts, samples, questionVariance, attemptVariance, sampleVariance } = design;
  return (questionVariance + (attemptVariance + sampleVariance / samples) / attempts) / questions;
}

function checkDesign(options: MeasurementPlanOptions): Design {
  const { attemptVariance = 0, sampleVariance = 0, samples = 1, attemptCost = 1, sampleCost = 0 } = options;
  const { questionVariance, questions, attempts } = options;
  const design = { ...options, attemptVariance, sampleVariance, samples, attemptCost, sampleCost };
  for (const [name, amount] of Object.entries({
    questionVariance,
    attemptVariance,
    sampleVariance,
    sampleCost,
  })) {
    checkDomain(amount >= 0 && amount < Infinity, name, amount, 'finite and at least 0');
  }
  for (const [name, amount] of Object.entries({ questions, attempts, samples, attemptCost })) {
    checkDomain(amount > 0 && amount < Infinity, name, amount, 'positive and finite');
  }
  return design;
}
