import type { Run } from '../../schema/run.ts';
import type { SizePlan } from '../../schema/size-plan.ts';
import { minimumDetectableDifference, pairedSampleSize } from '../../stats/planning/paired-sample-size.ts';
import type { MeasuredSpread } from './measure-spread.ts';

/** What difference is to be seen, and how surely. */
export interface SizeQuestion {
  /** In [0, 1]. */
  readonly difference: number;
  readonly power: number;
  readonly confidence: number;
}

const choicesOfAttempts = [1, 2, 4, 8];

/** How many questions it takes, for several numbers of attempts, with what the calls of both versions would take. */
export function planSize(
  run: Run,
  targets: readonly string[],
  measured: MeasuredSpread,
  question: SizeQuestion,
): SizePlan {
  const { spread, cost, latencyMs } = measured;
  // Without repeats the noise is part of the differences already, and more attempts cannot be reckoned with.
  const attempts = spread.withinVariance === null ? [1] : choicesOfAttempts;
  const choose = (count: number): SizePlan['choices'][number] => {
    const { n } = pairedSampleSize({ ...question, ...variances(spread, count) });
    const calls = 2 * n * count;
    return {
      attempts: count,
      questions: n,
      calls,
      cost: cost === null ? null : cost * calls,
      timeMs: latencyMs === null ? null : (latencyMs * calls) / run.settings.concurrency,
    };
  };
  return {
    run: run.id,
    targets: [...targets],
    ...question,
    spread,
    choices: attempts
      .map(choose)
      .filter((choice, index, all) => index === 0 || isWorthIt(choice, all[index - 1])),
    detectable: minimumDetectableDifference({
      ...question,
      ...variances(spread, spread.attempts),
      n: spread.questions,
    }).value,
  };
}

/** More attempts that save no question are no choice. */
function isWorthIt(
  { questions }: SizePlan['choices'][number],
  previous: SizePlan['choices'][number] | undefined,
): boolean {
  return previous === undefined || questions < previous.questions;
}

function variances({ betweenVariance, withinVariance }: SizePlan['spread'], attempts: number) {
  return {
    betweenVariance,
    withinVarianceA: withinVariance ?? 0,
    withinVarianceB: 0,
    repeatsA: attempts,
    repeatsB: attempts,
  };
}
