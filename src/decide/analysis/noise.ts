import type { MeasureNoise, Noise, NoiseAdvice, NoisePart } from '../../core/schema/estimate.ts';
import type { Outcome } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import type { TargetSummary } from '../../core/schema/summary.ts';
import type { JudgeSummary, Total } from '../../core/schema/usage.ts';
import { createNestedVariance, type VariancePart } from '../../core/stats/means/nested-variance.ts';
import { type MeasurementPart, measurementPlan } from '../../core/stats/planning/measurement-plan.ts';
import { createCertainTest } from './attempts.ts';

/**
 * A measure whose noise is estimated, with its samples on one trial: one if the judge was asked once, none if it was
 * not measured.
 */
interface NoisyMeasure extends Pick<MeasureNoise, 'measure' | 'name'> {
  readonly isJudged: boolean;
  read(outcome: Outcome): readonly number[];
}

/**
 * Creates a tally of how much of the differences between scores is due to the questions, the agent and the judge, for
 * the score and every judged metric. The outcomes of a case are added one after the other.
 */
export function createNoiseTally(run: Run) {
  const tracks = noisyMeasures(run).map(createTrack);
  const isCertain = createCertainTest(run);
  let caseId: string | undefined;
  const flush = () => {
    for (const track of tracks) track.endCase();
  };
  return {
    add: (outcome: Outcome): void => {
      if (outcome.trial.caseId !== caseId) flush();
      caseId = outcome.trial.caseId;
      if (!isCertain(outcome)) return;
      for (const track of tracks) track.add(outcome);
    },
    /**
     * Returns the variances; to be called once, after the last outcome. Empty when everything was tried and judged
     * once.
     */
    summarize: (): MeasureNoise[] => {
      flush();
      const all = tracks.map((track) => track.summarize());
      return all.some(({ questions, samples }) => samples > questions) ? all : [];
    },
  };
}

function noisyMeasures({ scorecard, metrics, attempts }: Run): NoisyMeasure[] {
  const judged = metrics.filter(({ judge }) => judge !== undefined).map(({ name }) => name);
  // Nothing was tried or judged twice.
  if (attempts === 1 && judged.length === 0) return [];
  const ofMetrics = judged.map(
    (name): NoisyMeasure => ({
      measure: 'metric',
      name,
      isJudged: true,
      read: ({ verdicts }) => {
        const verdict = verdicts[name];
        if (verdict?.status !== 'scored') return [];
        return verdict.samples?.map(({ value }) => value) ?? [verdict.value];
      },
    }),
  );
  if (scorecard === null) return ofMetrics;
  const isJudged = scorecard.criteria.some(({ metric }) => judged.includes(metric));
  const score: NoisyMeasure = {
    measure: 'score',
    name: scorecard.name,
    isJudged,
    read: ({ scorecard: card }) => card?.samples ?? (typeof card?.total === 'number' ? [card.total] : []),
  };
  return [score, ...ofMetrics];
}

function createTrack({ measure, name, isJudged, read }: NoisyMeasure) {
  const nested = createNestedVariance();
  let attempts: (readonly number[])[] = [];
  return {
    add: (outcome: Outcome): void => {
      attempts.push(read(outcome));
    },
    endCase: (): void => {
      nested.add(attempts);
      attempts = [];
    },
    summarize: (): MeasureNoise => {
      const { questions, attempts: tried, samples, ...parts } = nested.current();
      const numbers = { measure, name, questions, attempts: tried, samples };
      const { betweenQuestions: between, betweenAttempts: agent, betweenSamples: judge } = parts;
      if (isJudged)
        return { ...numbers, between: toPart(between), agent: toPart(agent), judge: toPart(judge) };
      const noJudge = { variance: null, reason: 'no judge is involved' };
      return { ...numbers, between: toPart(between), agent: withoutReason(toPart(agent)), judge: noJudge };
    },
  };
}

function toPart(part: VariancePart): NoisePart {
  if (part.status === 'undefined') return { variance: null, reason: part.reason };
  const { variance, includes } = part;
  return includes === undefined ? { variance } : { variance, reason: `with ${includes}` };
}

/** Removes the reason of a known variance: if nothing is judged, it includes no noise of a judge. */
function withoutReason(part: NoisePart): NoisePart {
  return part.variance === null ? part : { variance: part.variance };
}

/** The least number of questions: with fewer, a variance is little more than a guess. */
const leastQuestions = 10;

const names = {
  questions: 'questions',
  attempts: 'attempts',
  samples: 'judge-samples',
} as const satisfies Record<MeasurementPart, NoiseAdvice['more']>;

/**
 * Adds advice on what reduces the uncertainty about each target most: more questions, more attempts or more samples
 * of the judge. There is no advice when the noise is unknown, or when attempts stop early, because then their number
 * is not chosen freely.
 */
export function withAdvice(
  targets: readonly TargetSummary[],
  judge: JudgeSummary | undefined,
): TargetSummary[] {
  const judged = targets.map(({ noise }) => judgedSamples(noise)).reduce((sum, samples) => sum + samples, 0);
  return targets.map((target) => {
    const [main] = target.noise?.measures ?? [];
    if (target.noise === undefined || main === undefined) return target;
    const isFixed = target.reliability?.rule?.isCurtailed === true;
    const advice = isFixed ? undefined : advise(main, pricesOf(target, { judge, judged }));
    return advice === undefined ? target : { ...target, noise: { ...target.noise, advice } };
  });
}

interface Prices {
  readonly attemptCost: number;
  readonly sampleCost: number;
  readonly isPriced: boolean;
}

function advise(noise: MeasureNoise, { isPriced, ...prices }: Prices): NoiseAdvice | undefined {
  const { questions, attempts, samples, between, agent, judge } = noise;
  if (questions < leastQuestions || between.variance === null) return undefined;
  const plan = measurementPlan({
    questionVariance: between.variance,
    attemptVariance: agent.variance ?? 0,
    sampleVariance: judge.variance ?? 0,
    questions,
    attempts: attempts / questions,
    samples: samples / attempts,
    ...prices,
  });
  if (plan.best === null) return undefined;
  const isKnown = { questions: true, attempts: agent.variance !== null, samples: judge.variance !== null };
  return {
    more: names[plan.best],
    standardError: plan.standardError,
    choices: plan.choices
      .filter(({ twice }) => isKnown[twice])
      .map(({ twice, ...choice }) => ({ twice: names[twice], ...choice })),
    questionPrice: agent.variance === null ? null : plan.questionPrice,
    isPriced,
  };
}

/** Returns the cost of an attempt and of a sample of the judge; in calls when prices are unknown. */
function pricesOf(
  { usage }: TargetSummary,
  { judge, judged }: { readonly judge: JudgeSummary | undefined; readonly judged: number },
): Prices {
  const questionsAsked = judge === undefined ? 0 : judge.asked + judge.cached;
  const perSample = judged === 0 ? 0 : questionsAsked / judged;
  const attemptCost = meanOf(usage.cost);
  const perJudgement = judge === undefined || judge.asked === 0 ? undefined : meanOf(judge.cost);
  if (attemptCost === undefined || attemptCost === 0 || (perSample > 0 && perJudgement === undefined)) {
    return { attemptCost: 1, sampleCost: perSample, isPriced: false };
  }
  return { attemptCost, sampleCost: perSample * (perJudgement ?? 0), isPriced: true };
}

function meanOf({ sum, reported, unknown }: Total): number | undefined {
  return sum === null || unknown > 0 || reported === 0 ? undefined : sum / reported;
}

/** Returns the number of samples that a judge gave for a target: the samples of its first judged metric. */
function judgedSamples(noise: Noise | undefined): number {
  return noise?.measures.find(({ measure }) => measure === 'metric')?.samples ?? 0;
}
