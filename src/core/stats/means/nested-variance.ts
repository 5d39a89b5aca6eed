import { createMoments, type Moments, momentsOf } from '../moments.ts';

/** One part of a variance, or the reason why it is not known. */
export type VariancePart =
  | {
      readonly status: 'defined';
      readonly variance: number;
      /** The component that is also contained, and why it cannot be separated; absent when there is none. */
      readonly includes?: string;
    }
  | { readonly status: 'undefined'; readonly variance: null; readonly reason: string };

/** The sources of variance of judged answers. */
export type NestedVariance = {
  /** The number of questions with at least one value. */
  readonly questions: number;
  readonly attempts: number;
  readonly samples: number;
  /** Mean over questions of the mean over attempts of the mean over samples; null without values. */
  readonly estimate: number | null;
  /** The variance of true question means: real difficulty. */
  readonly betweenQuestions: VariancePart;
  /** The variance of true attempts at one question: the agent's own noise. */
  readonly betweenAttempts: VariancePart;
  /** The variance of samples of one attempt: the judge's noise. */
  readonly betweenSamples: VariancePart;
};

/** A collector of questions, one at a time, in constant memory. */
export type NestedVarianceAccumulator = {
  /** Adds a question: its attempts with their samples. @throws RangeError when a value is not finite. */
  add(attempts: readonly (readonly number[])[]): void;
  /** Returns the components over the questions added so far. */
  current(): NestedVariance;
};

/**
 * Splits the variance of answers that were judged several times into that between questions, that between attempts at a
 * question and the variance between samples of the judge. Attempts and questions without values are ignored.
 *
 * Method: nested random-effects analysis of variance for unequal numbers, moments set equal to their expectations
 * (Searle, Casella & McCulloch, Variance Components (1992), ch. 5 with appendix F; S. R. Searle, Linear Models (1971),
 * section 11.4), from below upwards; a negative estimate counts as 0.
 *
 * @throws RangeError when a value is not finite.
 */
export function nestedVariance({
  table,
}: {
  readonly table: readonly (readonly (readonly number[])[])[];
}): NestedVariance {
  const accumulator = createNestedVariance();
  for (const question of table) accumulator.add(question);
  return accumulator.current();
}

/** Starts {@link nestedVariance} over questions that arrive one after the other. */
export function createNestedVariance(): NestedVarianceAccumulator {
  const means = createMoments();
  const sums = newSums();
  return {
    add: (attempts) => {
      const cells = attempts.filter((samples) => samples.length > 0).map(momentsOf);
      if (cells.length === 0) return;
      addQuestion(sums, cells);
      means.add(momentsOf(cells.map(({ mean }) => mean)).mean);
    },
    current: () => ({
      questions: sums.questions,
      attempts: sums.attempts,
      samples: sums.samples,
      estimate: sums.questions === 0 ? null : means.current().mean,
      ...componentsOf(sums),
    }),
  };
}

function componentsOf(
  sums: NestedSums,
): Pick<NestedVariance, 'betweenQuestions' | 'betweenAttempts' | 'betweenSamples'> {
  const betweenSamples = samplePart(sums);
  const ofSamples = betweenSamples.variance ?? 0;
  const betweenAttempts = attemptPart(sums, ofSamples);
  return {
    betweenQuestions: questionPart(sums, { ofSamples, ofAttempts: betweenAttempts.variance ?? 0 }),
    betweenAttempts,
    betweenSamples,
  };
}

const judgedOnce = 'no answer was judged more than once';
const triedOnce = 'no question was tried more than once';

function samplePart({ samples, attempts, withinAttempts }: NestedSums): VariancePart {
  return samples === attempts ? unknown(judgedOnce) : known(withinAttempts / (samples - attempts));
}

function attemptPart(sums: NestedSums, ofSamples: number): VariancePart {
  const { questions, attempts, samples } = sums;
  const degrees = attempts - questions;
  if (degrees === 0) return unknown(triedOnce);
  const perAttempt = (samples - sums.ofAttemptsInQuestions) / degrees;
  const variance = (sums.withinQuestions / degrees - ofSamples) / perAttempt;
  return known(variance, samples === attempts ? `the noise of samples: ${judgedOnce}` : undefined);
}

function questionPart(
  sums: NestedSums,
  { ofSamples, ofAttempts }: { readonly ofSamples: number; readonly ofAttempts: number },
): VariancePart {
  const { questions, attempts, samples } = sums;
  if (questions < 2) return unknown(questions === 0 ? 'no values' : 'a single question');
  const degrees = questions - 1;
  const perAttempt = (sums.ofAttemptsInQuestions - sums.ofAttempts / samples) / degrees;
  const perQuestion = (samples - sums.ofQuestions / samples) / degrees;
  const variance = (sums.between / degrees - ofSamples - perAttempt * ofAttempts) / perQuestion;
  return known(variance, attempts === questions ? `the noise of attempts: ${triedOnce}` : undefined);
}

function known(variance: number, includes?: string): VariancePart {
  const part = { status: 'defined', variance: Math.max(0, variance) } as const;
  return includes === undefined ? part : { ...part, includes };
}

function unknown(reason: string): VariancePart {
  return { status: 'undefined', variance: null, reason };
}

/** Returns empty sums: numbers of values, squares of these numbers, and sums of squared distances at each level. */
function newSums() {
  return {
    questions: 0,
    attempts: 0,
    samples: 0,
    /** Σ n_i², over questions. */
    ofQuestions: 0,
    /** Σ n_ij², over attempts. */
    ofAttempts: 0,
    /** Σ_i Σ_j n_ij² / n_i. */
    ofAttemptsInQuestions: 0,
    withinAttempts: 0,
    withinQuestions: 0,
    between: 0,
    mean: 0,
  };
}

/** The sums over the questions added so far. */
type NestedSums = ReturnType<typeof newSums>;

/** Adds a question by the moments of its attempts, at least one. */
function addQuestion(sums: NestedSums, cells: readonly Moments[]): void {
  const n = cells.reduce((sum, cell) => sum + cell.n, 0);
  const origin = (cells[0] as Moments).mean;
  const mean = origin + cells.reduce((sum, cell) => sum + cell.n * (cell.mean - origin), 0) / n;
  const squares = cells.reduce((sum, cell) => sum + cell.n ** 2, 0);
  const before = sums.samples;
  const distance = mean - sums.mean;
  sums.questions += 1;
  sums.attempts += cells.length;
  sums.samples += n;
  sums.ofQuestions += n ** 2;
  sums.ofAttempts += squares;
  sums.ofAttemptsInQuestions += squares / n;
  sums.withinAttempts += cells.reduce((sum, cell) => sum + cell.squares, 0);
  sums.withinQuestions += cells.reduce((sum, cell) => sum + cell.n * (cell.mean - mean) ** 2, 0);
  sums.between += (distance ** 2 * before * n) / sums.samples;
  sums.mean += (distance * n) / sums.samples;
}
