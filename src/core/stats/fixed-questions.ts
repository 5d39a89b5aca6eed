import { checkConfidence, checkDomain } from './check-domain.ts';
import {
  defaultConfidence,
  type IntervalBasis,
  undefinedInterval,
  type UndefinedInterval,
} from './interval.ts';
import { normalQuantile } from './normal.ts';
import { studentTQuantile } from './student-t.ts';

/** The attempts at one question: their number, and the mean and sample variance (with n − 1) of their scores in [0, 1]. */
export type QuestionAttempts = {
  /** Infinity where no further attempt would differ, as of a deterministic target: then there is no chance in the mean. */
  readonly n: number;
  readonly mean: number;
  /** NaN or anything else for a single attempt, whose variance is taken to be the greatest there is, ¼. */
  readonly variance: number;
};

/** The attempts of two versions at the same questions. */
export type FixedQuestions = {
  /** Before and now, question by question. */
  readonly pairs: readonly (readonly [before: QuestionAttempts, now: QuestionAttempts])[];
  /** The weights of the questions, at the same positions; only their ratios matter. Each counts once by default. */
  readonly weights?: readonly number[];
  /** The confidence of each of the two bounds by itself, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

/** One-sided bounds of the mean difference on fixed questions, or the reason why there are none. */
export type FixedQuestionsInterval =
  | (IntervalBasis & {
      readonly status: 'defined';
      readonly estimate: number;
      readonly lower: number;
      readonly upper: number;
      /** The variance of the mean difference. */
      readonly variance: number;
      /** Null when no question varies: then the bounds are normal. */
      readonly degreesOfFreedom: number | null;
    })
  | UndefinedInterval;

/** The greatest variance of a score in [0, 1], as a coin flip has. */
const greatestVariance = 0.25;

/**
 * Returns two one-sided bounds of the mean difference, now minus before, on exactly these questions: chance is only in
 * the attempts. They say nothing of questions that are not in the set, for which see `boundedMeanBounds`.
 *
 * Method: V = Σ w² (s²_A / K_A + s²_B / K_B) + w² (¼ / K_A + ¼ / K_B) with weights w that sum to 1, and Student's t with the
 * degrees of freedom of Welch and Satterthwaite over the questions that vary. The last part allows for one question
 * (the heaviest) on which either version is a coin flip that did not show; without it the bounds are wrong too often for
 * two attempts. Simulations are in `bench/fixed-questions.ts`.
 *
 * @throws RangeError when the lists differ in length, a weight is negative, a number of attempts is not a whole number above
 * 0, or the confidence is not strictly between 0 and 1.
 */
export function fixedQuestionBounds(options: FixedQuestions): FixedQuestionsInterval {
  const { pairs, weights = pairs.map(() => 1), confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  checkDomain(
    weights.length === pairs.length,
    'weights',
    weights.length,
    `as many as the ${pairs.length} questions`,
  );
  for (const weight of weights)
    checkDomain(weight >= 0 && weight < Infinity, 'a weight', weight, 'at least 0');
  const basis = { n: pairs.length, confidence, method: 'fixed-questions' } as const;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (pairs.length < 2 || total === 0)
    return undefinedInterval({ ...basis, estimate: null, reason: 'fewer than 2 questions' });
  let [estimate, noise, squares] = [0, 0, 0];
  for (const [place, [before, now]] of pairs.entries()) {
    const weight = (weights[place] as number) / total;
    estimate += weight * (now.mean - before.mean);
    for (const attempts of [before, now]) {
      const part = weight ** 2 * varianceOfMean(attempts);
      noise += part;
      squares += part ** 2 / Math.max(1, attempts.n - 1);
    }
  }
  const heaviest = Math.max(...weights) / total;
  const [before, now] = [0, 1].map((side) => Math.min(...pairs.map((pair) => pair[side as 0 | 1].n)));
  const unseen = heaviest ** 2 * greatestVariance * (1 / (before as number) + 1 / (now as number));
  const variance = noise + unseen;
  const degreesOfFreedom = noise === 0 ? null : noise ** 2 / squares;
  const quantile =
    degreesOfFreedom === null
      ? normalQuantile(confidence)
      : studentTQuantile({ p: confidence, degreesOfFreedom });
  const margin = quantile * Math.sqrt(variance);
  return {
    ...basis,
    status: 'defined',
    estimate,
    lower: estimate - margin,
    upper: estimate + margin,
    variance,
    degreesOfFreedom,
  };
}

function varianceOfMean({ n, variance }: QuestionAttempts): number {
  if (n === Infinity) return 0;
  checkDomain(Number.isInteger(n) && n > 0, 'the number of attempts', n, 'a whole number above 0');
  return (n === 1 ? greatestVariance : variance) / n;
}
