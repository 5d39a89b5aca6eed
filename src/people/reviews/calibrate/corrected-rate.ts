import { toEstimate } from '../../../decide/analysis/summary/estimates.ts';
import type { CorrectedRate } from '../../../core/schema/review/certificate.ts';
import type { DrawRule, Stratum } from '../../../core/schema/review/review-task.ts';
import { confusionCounts } from '../../../core/stats/agreement/confusion.ts';
import { defaultConfidence, type Interval, undefinedInterval } from '../../../core/stats/interval.ts';
import { type PeopleAlone, peopleAlone, worthOfJudge } from '../../../core/stats/judges/people-alone.ts';
import { ppiMean } from '../../../core/stats/judges/ppi-mean.ts';
import { ppiWeightedMean } from '../../../core/stats/judges/ppi-weighted-mean.ts';
import { roganGladen } from '../../../core/stats/judges/rogan-gladen.ts';
import { verdictStrataRate } from '../../../core/stats/judges/verdict-strata.ts';
import type { WeightedAnswer } from './agreement.ts';
import { type LabelledAnswer, weigh } from '../../../decide/certificates/pair-labels.ts';

/** An answer of the run that the rate is about, with the verdict of the judge. */
export interface FrameAnswer {
  readonly passed: boolean;
  readonly target: string;
  readonly cluster: string;
  readonly isLabelled: boolean;
}

/** Everything that the corrected pass rate depends on. */
export interface RateInput {
  readonly draw: DrawRule['type'];
  readonly strata: readonly Stratum[];
  readonly answers: readonly LabelledAnswer[];
  /** All answers of the run with a verdict that could be drawn. */
  readonly frame: readonly FrameAnswer[];
  /** True when the labels were drawn from these answers, false when they come from elsewhere. */
  readonly isFromFrame: boolean;
  /** The answers with the probabilities that they count with, when they are a part of those that were drawn. */
  readonly weighted?: readonly WeightedAnswer[] | null;
  /** The two-sided confidence of all limits; 0.95 by default. */
  readonly confidence?: number;
}

/**
 * Estimates the pass rate that people would give, by the method that the draw of the labels allows: PPI++ for a random draw,
 * by stratum for one by verdict, weighted for one by uncertainty, Rogan-Gladen for a random draw from elsewhere, and
 * none for answers picked by hand.
 */
export function correctedRate(input: RateInput): CorrectedRate {
  const n = input.frame.length;
  const passes = input.frame.filter(({ passed }) => passed).length;
  const judge = { value: n === 0 ? null : passes / n, n };
  const { people, corrected, ofRun, caution, ...found } = chooseEstimate(input);
  const isAlone = found.method === 'people-alone';
  const isComparable = !isAlone && !(input.isFromFrame && isClustered(input) && isByVerdict(input.draw));
  return {
    judge,
    ...found,
    people: toEstimate(people),
    corrected: toEstimate(corrected),
    ofRun: ofRun === undefined ? null : toEstimate(ofRun),
    caution,
    worth: isComparable ? worthOfJudge({ alone: people, corrected }) : null,
  };
}

/**
 * Estimates the pass rate that people would give to one target: by PPI++ for a random draw, weighted for any other, since
 * strata are not the target's.
 */
export function correctedRateOf(target: string, input: RateInput): CorrectedRate {
  const isOwn = (each: { readonly target: string }) => each.target === target;
  const weighted = weigh(input)?.filter((_, index) => input.answers[index]?.target === target) ?? null;
  const { answers, frame } = input;
  return correctedRate({
    ...input,
    answers: answers.filter(isOwn),
    frame: frame.filter(isOwn),
    weighted,
  });
}

type Chosen = Pick<CorrectedRate, 'method' | 'why' | 'caution'> & {
  readonly people: Interval;
  readonly corrected: Interval;
  readonly ofRun?: Interval;
};

function chooseEstimate(input: RateInput): Chosen {
  const { draw, answers, isFromFrame } = input;
  if (draw === 'by-hand')
    return noEstimate(input, 'The answers were picked by hand, which is not for estimates.');
  if (answers.length === 0) return noEstimate(input, 'No answer has a label that counts yet.');
  if (!isFromFrame) return fromElsewhere(input);
  if (draw === 'random' || draw === 'every-nth') return fromRandomDraw(input);
  if (input.weighted !== undefined) return fromWeights(input);
  const isJudgeOfDraw = answers.every(({ stratum, passed }) =>
    stratum.startsWith(passed ? 'passed' : 'failed'),
  );
  return isByVerdict(draw) && isJudgeOfDraw ? fromStrata(input) : fromWeights(input);
}

function isByVerdict(draw: RateInput['draw']): boolean {
  return draw === 'stratified' || draw === 'neyman';
}

function isClustered({ frame }: Pick<RateInput, 'frame'>): boolean {
  return new Set(frame.map(({ cluster }) => cluster)).size < frame.length;
}

function noEstimate({ answers, confidence = defaultConfidence }: RateInput, why: string): Chosen {
  const basis = { n: answers.length, confidence, method: 'wilson' } as const;
  const none = undefinedInterval({ ...basis, estimate: null, reason: why });
  return { method: null, why, people: none, corrected: none, caution: null };
}

function numbersOf(answers: readonly LabelledAnswer[]) {
  return {
    labels: answers.map(({ truth }) => Number(truth)),
    scores: answers.map(({ passed }) => Number(passed)),
  };
}

function fromRandomDraw({ answers, frame, confidence = defaultConfidence }: RateInput): Chosen {
  const others = frame.filter(({ isLabelled }) => !isLabelled);
  const people = alone(answers, confidence);
  if (others.length === 0) {
    const why = 'Every answer is labelled, so that the judge adds nothing.';
    return { method: 'people-alone', why, people, corrected: people, caution: people.caution };
  }
  const values = {
    ...numbersOf(answers),
    otherScores: others.map(({ passed }) => Number(passed)),
    confidence,
  };
  if (!isClustered({ frame })) {
    const corrected = ppiMean(values);
    const why = 'The labels were drawn at random from these answers.';
    return { method: 'ppi', why, people, corrected, caution: corrected.caution };
  }
  const clusters = {
    labelled: answers.map(({ cluster }) => cluster),
    others: others.map(({ cluster }) => cluster),
  };
  const corrected = ppiMean({ ...values, clusters });
  const why =
    'The labels were drawn at random from these answers; several answers to one question count as a cluster.';
  return {
    method: 'ppi',
    why,
    people: ppiMean({ ...values, clusters, lambda: 0 }),
    corrected,
    caution: corrected.caution,
  };
}

function fromStrata({ answers, strata: all, frame, ...input }: RateInput): Chosen {
  const { confidence = defaultConfidence } = input;
  const strata = all.map(({ name, size }) => {
    const own = answers.filter(({ stratum }) => stratum === name);
    return { size, labels: own.length, passes: own.filter(({ truth }) => truth).length };
  });
  const population = verdictStrataRate({ strata, target: 'population', confidence });
  const ofRun = verdictStrataRate({ strata, target: 'run', confidence });
  const why = 'The labels were drawn by the verdict of the judge.';
  const people = peopleAlone({
    passes: (population.estimate ?? 0) * answers.length,
    labels: answers.length,
    confidence,
  });
  const estimate = { method: 'stratified', people, ofRun } as const;
  if (!isClustered({ frame }))
    return { ...estimate, why, corrected: population, caution: population.caution };
  const reason = 'several answers belong to one question: known for the answers of this run alone';
  const { n, method } = population;
  return {
    ...estimate,
    why: `${why} Several answers belong to one question, so that the limits hold for the answers of this run alone.`,
    corrected: undefinedInterval({ n, confidence, method, estimate: population.estimate, reason }),
    caution: ofRun.caution,
  };
}

function fromWeights(input: RateInput): Chosen {
  const weighted = input.weighted === undefined ? weigh(input) : input.weighted;
  if (weighted === null) return noEstimate(input, 'Labels have no probability with which they were drawn.');
  const values = {
    ...numbersOf(input.answers),
    probabilities: weighted.map(({ probability }) => probability),
    allScores: input.frame.map(({ passed }) => Number(passed)),
    confidence: input.confidence ?? defaultConfidence,
  };
  const corrected = ppiWeightedMean(values);
  return {
    method: 'weighted-ppi',
    why: 'The labels were drawn with unequal, known probabilities.',
    people: ppiWeightedMean({ ...values, lambda: 0 }),
    corrected,
    ofRun: ppiWeightedMean({ ...values, target: 'run' }),
    caution: corrected.caution,
  };
}

function fromElsewhere(input: RateInput): Chosen {
  const { draw, answers, frame, confidence = defaultConfidence } = input;
  if (draw !== 'random' && draw !== 'every-nth') {
    const why = 'The labels come from other answers, and were not drawn at random there.';
    return noEstimate(input, why);
  }
  const passes = frame.filter(({ passed }) => passed).length;
  const truth = answers.map((answer) => answer.truth);
  const labels = confusionCounts({ truth, predicted: answers.map(({ passed }) => passed) });
  const corrected = roganGladen({ passes, n: frame.length, labels, confidence });
  return {
    method: 'rogan-gladen',
    why: 'The labels come from other answers, drawn at random there.',
    people: noEstimate(input, 'The labels are of other answers.').people,
    corrected,
    caution: corrected.caution,
  };
}

function alone(answers: readonly LabelledAnswer[], confidence: number): PeopleAlone {
  const passes = answers.filter(({ truth }) => truth).length;
  return peopleAlone({ passes, labels: answers.length, confidence });
}
