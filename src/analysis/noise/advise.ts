import type { JudgeSummary } from '../../schema/judge-summary.ts';
import type { MeasureNoise, Noise, NoiseAdvice } from '../../schema/noise.ts';
import type { TargetSummary } from '../../schema/summary.ts';
import type { Total } from '../../schema/usage-summary.ts';
import { type MeasurementPart, measurementPlan } from '../../stats/planning/measurement-plan.ts';

/** With fewer questions a variance is little more than a guess. */
const leastQuestions = 10;

const names = {
  questions: 'questions',
  attempts: 'attempts',
  samples: 'judge-samples',
} as const satisfies Record<MeasurementPart, NoiseAdvice['more']>;

/**
 * Says what would lessen the doubt about each target most: more questions, more attempts or more samples of the judge.
 * Nothing is said where noise is not known, or of curtailed attempts, whose number is not chosen freely.
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
  const isTold = { questions: true, attempts: agent.variance !== null, samples: judge.variance !== null };
  return {
    more: names[plan.best],
    standardError: plan.standardError,
    choices: plan.choices
      .filter(({ twice }) => isTold[twice])
      .map(({ twice, ...choice }) => ({ twice: names[twice], ...choice })),
    questionPrice: agent.variance === null ? null : plan.questionPrice,
    isPriced,
  };
}

/** What an attempt and a sample of the judge cost; in calls, where the money is not known. */
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

/** Samples that a judge gave for a target: those of the score where it has a part in that, else of the first judged metric. */
function judgedSamples(noise: Noise | undefined): number {
  return noise?.measures.find(({ measure }) => measure === 'metric')?.samples ?? 0;
}
