import { checkDomain } from '../check-domain.ts';

/** Variances as {@link nestedVariance} gives them, how many there were of each, and what they cost. */
export type MeasurementPlanOptions = {
  /** Of true question means. */
  readonly questionVariance: number;
  /** Of true attempts at one question; 0 when not given, as where it is part of that of questions. */
  readonly attemptVariance?: number;
  /** Of samples of the judge; 0 when not given, as where nothing is judged or it is part of that of attempts. */
  readonly sampleVariance?: number;
  readonly questions: number;
  /** For each question, their mean number where they differ. */
  readonly attempts: number;
  /** For each attempt; 1 when not given. */
  readonly samples?: number;
  /** What one attempt costs without its judging, in any unit; 1 when not given. */
  readonly attemptCost?: number;
  /** What one sample of the judge costs, in the same unit; 0 when not given. */
  readonly sampleCost?: number;
};

/** What can be had more of. */
export type MeasurementPart = 'questions' | 'attempts' | 'samples';

/** What becomes of the doubt with twice as many of one part. */
export type MeasurementChoice = {
  readonly twice: MeasurementPart;
  readonly standardError: number;
  /** Of the whole, over that of today; a question costs no more than its attempts. */
  readonly costRatio: number;
};

/** Where more measuring lessens the doubt about a mean. */
export type MeasurementPlan = {
  readonly standardError: number;
  readonly choices: readonly MeasurementChoice[];
  /** Which part lessens the variance most for a little more money, where questions are to be had at the price of their attempts. */
  readonly best: MeasurementPart | null;
  /**
   * In attempts: where a question by itself costs more than this, one more attempt at every question is worth more than
   * more questions. Null where attempts have no noise, or are not known to.
   */
  readonly questionPrice: number | null;
};

/**
 * Where to spend more: on questions, on attempts at each or on samples of the judge for each.
 *
 * Method: three-stage sampling (W. G. Cochran, Sampling Techniques (1977), sections 10.6 and 10.8): the variance of the
 * mean is (σ_q² + (σ_a² + σ_j² / J) / K) / n at a cost of n K (c_a + J c_j). A part is best when the variance falls most in
 * it for the same share of the cost; K is the best number of attempts where a question costs K² σ_q² / (σ_a² + σ_j² / J)
 * attempts with their judging, as in {@link repeatsPlan}.
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

/** Shares of the variance of the mean, and of the cost. A question is worth as much as an attempt where questions do not differ. */
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
