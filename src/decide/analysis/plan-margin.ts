import type { SizePlan, Spread } from '../../core/schema/api/comparison/size-plan.ts';
import type { Run } from '../../core/schema/run.ts';
import {
  clustersFor,
  clustersForMargin,
  pairsForMargin,
  pairsWithUnseen,
  reachOf,
} from '../../core/stats/planning/margin-size.ts';
import { nonInferioritySampleSize, trialsWithoutFailure } from '../../core/stats/planning/sample-size.ts';
import { choicesOf, type MeasuredSpread, type PlannedQuestions, varianceOfCluster } from './plan-size.ts';

/** The loss to rule out, with the power and the confidence of the one-sided bound. */
export interface MarginQuestion {
  /** The loss in (0, 1). */
  readonly margin: number;
  /** The true difference that the plan reckons with, in (−margin, 1); 0 when nothing changed. */
  readonly difference: number;
  /** The share of pairs that differ; measured in the run by default. */
  readonly discordance?: number;
  readonly power: number;
  readonly confidence: number;
}

/** A run with the spread of the differences between two versions. */
export interface PlannedRun {
  readonly run: Run;
  readonly targets: readonly string[];
  readonly measured: MeasuredSpread;
}

/** Plans how many questions show, by the bound of gates, that nothing got worse by more than a margin. */
export function planMargin(question: MarginQuestion, planned: PlannedRun | undefined): SizePlan {
  const { margin, difference, discordance } = question;
  if (planned === undefined) {
    const { n } = pairsForMargin({ ...question, discordance: discordance ?? 0 });
    const choice = { attempts: 1, questions: n, calls: 2 * n, cost: null, timeMs: null };
    return { run: null, targets: [], ...question, choices: [choice], detectable: null };
  }
  const { run, targets, measured } = planned;
  const { spread } = measured;
  return {
    run: run.id,
    targets: [...targets],
    ...question,
    spread,
    choices: choicesOf(measured, run.settings.concurrency, (attempts) =>
      questionsFor({ ...question, margin, difference }, spread, attempts),
    ),
    detectable: smallestMargin(question, spread),
  };
}

function questionsFor(question: MarginQuestion, spread: Spread, attempts: number): PlannedQuestions {
  const { discordance = spread.discordance, margin, confidence } = question;
  const { clusters } = spread;
  const variance = varianceAt(question, spread, attempts);
  if (clusters !== undefined) {
    const needed =
      question.discordance === undefined
        ? clustersByRun(question, varianceOfCluster(spread, clusters, attempts))
        : clustersForMargin({ ...question, ...clusters, discordance: question.discordance }).clusters;
    return { questions: Math.ceil(needed * clusters.size), clusters: needed };
  }
  if (discordance !== undefined && attempts === 1)
    return { questions: pairsForMargin({ ...question, discordance }).n };
  if (variance <= 0) return { questions: trialsWithoutFailure({ share: margin, confidence }) };
  const standardDeviation = Math.sqrt(variance);
  const { unrounded } = nonInferioritySampleSize({ ...question, standardDeviation });
  return { questions: pairsWithUnseen(unrounded, question) };
}

/** Returns the variance of the difference of a question with a number of attempts. */
function varianceAt(
  { discordance, difference }: Pick<MarginQuestion, 'discordance' | 'difference'>,
  { betweenVariance, withinVariance }: Spread,
  attempts: number,
): number {
  if (discordance !== undefined) return Math.max(0, discordance - difference ** 2);
  return betweenVariance + (withinVariance ?? 0) / attempts;
}

/** Returns the number of clusters that rule out the loss, given the variance that one of the run leaves. */
function clustersByRun({ margin, difference, power, confidence }: MarginQuestion, ofOne: number): number {
  const least = Math.max(2, trialsWithoutFailure({ share: margin, confidence }));
  return clustersFor(ofOne / (margin + difference) ** 2, { power, confidence }, least);
}

/** Returns the smallest loss that the run itself rules out with the power, if nothing changed. */
function smallestMargin({ power, confidence }: MarginQuestion, spread: Spread): number {
  const { questions, attempts, clusters } = spread;
  const ofUnits = clusters === undefined ? questions : clusters.count;
  // With so many questions and no loss in them, a smaller one cannot be ruled out.
  const least = 1 - (1 - confidence) ** (1 / ofUnits);
  if (clusters !== undefined) {
    const variance = varianceOfCluster(spread, clusters, attempts) / clusters.count;
    const reach = reachOf(clusters.degreesOfFreedom, { power, confidence });
    return Math.max(least, reach * Math.sqrt(variance));
  }
  const standardDeviation = Math.sqrt(varianceAt({ difference: 0 }, spread, attempts));
  const isEnough = (margin: number): boolean => {
    if (standardDeviation === 0) return margin >= least;
    const planned = nonInferioritySampleSize({ standardDeviation, margin, power, confidence }).unrounded;
    return pairsWithUnseen(planned, { margin, confidence }) <= questions;
  };
  let [low, high] = [0, 1];
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
