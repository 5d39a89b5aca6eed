import type { Outcome } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import type { SizePlan, Spread } from '../../core/schema/api/comparison/size-plan.ts';
import { clusterInterval } from '../../core/stats/cluster-interval.ts';
import { boundedMeanBounds } from '../../core/stats/means/bounded-mean.ts';
import { normalQuantile } from '../../core/stats/normal.ts';
import { varianceComponents } from '../../core/stats/means/variance-components.ts';
import { clustersFor, reachOf } from '../../core/stats/planning/margin-size.ts';
import { minimumDetectableDifference, pairedSampleSize } from '../../core/stats/planning/sample-size.ts';
import { confidence } from './summary/estimates.ts';

/** The difference to detect, with the power and the confidence. */
export interface SizeQuestion {
  /** The difference in [0, 1]. */
  readonly difference: number;
  readonly power: number;
  readonly confidence: number;
}

const choicesOfAttempts = [1, 2, 4, 8];

/** Plans the number of questions for several numbers of attempts, with the calls, cost and time of both versions. */
export function planSize(
  run: Run,
  targets: readonly string[],
  measured: MeasuredSpread,
  question: SizeQuestion,
): SizePlan {
  const { spread } = measured;
  return {
    run: run.id,
    targets: [...targets],
    ...question,
    spread,
    choices: choicesOf(measured, run.settings.concurrency, (count) => {
      const { clusters } = spread;
      if (clusters === undefined) {
        const planned = pairedSampleSize({ ...question, ...variances(spread, count) }).n;
        return { questions: questionsByBounds(planned, spread, question) };
      }
      const ofOne = varianceOfCluster(spread, clusters, count) / question.difference ** 2;
      const { power, confidence: level } = question;
      const needed = clustersFor(ofOne, { power, confidence: (1 + level) / 2 });
      return { questions: Math.ceil(needed * clusters.size), clusters: needed };
    }),
    detectable: detectableDifference(spread, { ...question, ...spread }),
  };
}

/** The questions that a plan needs, with the clusters that have them. */
export type PlannedQuestions = Pick<SizePlan['choices'][number], 'questions' | 'clusters'>;

/** Returns the choices of a plan by the number of attempts; more attempts are a choice while they save questions. */
export function choicesOf(
  { spread, cost, latencyMs }: MeasuredSpread,
  concurrency: number,
  plan: (attempts: number) => PlannedQuestions,
): SizePlan['choices'] {
  // Without repeats the differences already include the noise, so the effect of more attempts is unknown.
  const attempts = spread.withinVariance === null ? [1] : choicesOfAttempts;
  return attempts
    .map((count) => {
      const planned = plan(count);
      const calls = 2 * planned.questions * count;
      return {
        attempts: count,
        ...planned,
        calls,
        cost: cost === null ? null : cost * calls,
        timeMs: latencyMs === null ? null : (latencyMs * calls) / concurrency,
      };
    })
    .filter((choice, index, all) => index === 0 || isWorthIt(choice, all[index - 1]));
}

/** Returns the variance that one cluster leaves of the mean difference, with a number of attempts at each question. */
export function varianceOfCluster(
  spread: Spread,
  { size, designEffect }: NonNullable<Spread['clusters']>,
  attempts: number,
): number {
  const { betweenVariance, withinVariance } = spread;
  const within = withinVariance ?? 0;
  const ofDifference = betweenVariance + within / spread.attempts;
  // Attempts vary for themselves: more of them take nothing from what a cluster shares.
  const saved = within / spread.attempts - within / attempts;
  return Math.max(0, ofDifference * designEffect - saved) / size;
}

/** The number of questions and of attempts at each, with the power and the confidence. */
export interface RunSize extends Pick<SizeQuestion, 'power' | 'confidence'> {
  readonly questions: number;
  readonly attempts: number;
}

/** Returns the smallest true difference that runs of a size show with the given power. */
export function detectableDifference(
  spread: Spread,
  { questions, attempts, power, confidence: level }: RunSize,
): number {
  const { clusters } = spread;
  if (clusters !== undefined) {
    const variance = varianceOfCluster(spread, clusters, attempts) * (clusters.size / questions);
    return reachOf(clusters.degreesOfFreedom, { power, confidence: (1 + level) / 2 }) * Math.sqrt(variance);
  }
  const { value } = minimumDetectableDifference({
    power,
    confidence: level,
    ...variances(spread, attempts),
    n: questions,
  });
  return value + (spread.unseen ?? 0) / questions;
}

/**
 * Returns the number of questions at which the bounds that decide about scores show a difference, given the number for a normal test: the
 * margin of Gaffke's bounds is the margin of the test and a part that falls with the number of questions (see `detectableByBounds`).
 */
function questionsByBounds(planned: number, { unseen = 0 }: Spread, { difference }: SizeQuestion): number {
  const reach = Math.sqrt(planned) * difference;
  return Math.ceil(
    ((reach + Math.sqrt(reach ** 2 + 4 * unseen * difference)) / (2 * difference)) ** 2 - 1e-9,
  );
}

/** Returns whether more attempts save questions; otherwise they are no useful choice. */
function isWorthIt(
  { questions }: SizePlan['choices'][number],
  previous: SizePlan['choices'][number] | undefined,
): boolean {
  return previous === undefined || questions < previous.questions;
}

function variances({ betweenVariance, withinVariance }: Spread, attempts: number) {
  return {
    betweenVariance,
    withinVarianceA: withinVariance ?? 0,
    withinVarianceB: 0,
    repeatsA: attempts,
    repeatsB: attempts,
  };
}

/**
 * The spread of the differences between two versions of a target from question to question, with the cost and time of
 * a call.
 */
export interface MeasuredSpread {
  readonly spread: Spread;
  /** Mean cost of a trial in US dollars; null when some or all are unknown. */
  readonly cost: number | null;
  readonly latencyMs: number | null;
}

/**
 * The assumed correlation of the scores of two versions of a target, question by question, when it was not measured.
 */
const assumedCorrelation = 0.5;

/**
 * Measures the spread of the differences between two targets of a run, question by question. For a single target it
 * assumes another version whose scores have a correlation of one half with these. Returns undefined with fewer than
 * two measured questions.
 */
export async function measureSpread(
  targets: readonly string[],
  outcomes: AsyncIterable<readonly Outcome[]>,
): Promise<MeasuredSpread | undefined> {
  const scores = new Map(targets.map((target) => [target, new Map<string, number[]>()]));
  const clusters = new Map<string, string>();
  const costs = createMean();
  const latencies = createMean();
  const add = ({ case: { cluster }, trial, scorecard }: Outcome): void => {
    const ofTarget = scores.get(trial.target);
    if (ofTarget === undefined) return;
    costs.add(trial.cost);
    latencies.add(trial.latency?.totalMs);
    if (typeof scorecard?.total !== 'number') return;
    if (cluster !== undefined) clusters.set(trial.caseId, cluster);
    ofTarget.set(trial.caseId, [...(ofTarget.get(trial.caseId) ?? []), scorecard.total]);
  };
  for await (const some of outcomes) for (const outcome of some) add(outcome);
  const spread = spreadOf([...scores.values()], clusters);
  return spread && { spread, cost: costs.read(), latencyMs: latencies.read() };
}

function spreadOf(
  tables: readonly ReadonlyMap<string, readonly number[]>[],
  clusters: ReadonlyMap<string, string>,
): Spread | undefined {
  const [first = new Map<string, number[]>(), second] = tables;
  const shared = [...first.keys()].filter((caseId) => second?.has(caseId) ?? true);
  if (shared.length < 2) return undefined;
  const rows = tables.map((table) => shared.map((caseId) => table.get(caseId) ?? []));
  const attempts = Math.min(...rows.flat().map((row) => row.length));
  const within = attempts < 2 ? null : rows.reduce((sum, table) => sum + withinOf(table), 0);
  const [means = [], others] = rows.map((table) => table.map(meanOf));
  const differences = others === undefined ? means : means.map((mean, index) => mean - (others[index] ?? 0));
  const isMeasured = others !== undefined;
  // Var(a − b) of two versions with the same variance and a correlation r is 2 (1 − r) Var(a).
  const observed = varianceOf(differences) * (isMeasured ? 1 : 2 * (1 - assumedCorrelation));
  const both = within === null ? null : isMeasured ? within : 2 * within;
  const isBinary = isSinglePasses(rows);
  const unseen = isBinary ? undefined : unseenOf(isMeasured ? differences : assumedDifferences(means));
  return {
    questions: shared.length,
    attempts,
    betweenVariance: Math.max(0, observed - (both ?? 0) / attempts),
    withinVariance: both,
    isMeasured,
    unseen,
    discordance: isBinary ? discordanceOf(observed, isMeasured ? meanOf(differences) : 0) : undefined,
    clusters: clustersOf(
      differences,
      shared.map((caseId, place) => clusters.get(caseId) ?? place),
    ),
  };
}

/** Returns the share of pairs that differ, from the variance and the mean of their differences. */
function discordanceOf(variance: number, mean: number): number {
  return variance + mean ** 2;
}

/** Returns how clusters widen the mean of differences; undefined when no two share one, or all share one. */
function clustersOf(
  differences: readonly number[],
  clusters: readonly (string | number)[],
): Spread['clusters'] {
  const sizes = [...Map.groupBy(clusters, (cluster) => cluster).values()].map(({ length }) => length);
  if (sizes.length === differences.length) return undefined;
  const { standardError, degreesOfFreedom } = clusterInterval({ values: differences, clusters });
  const alone = varianceOf(differences) / differences.length;
  if (standardError === null || degreesOfFreedom === null || alone === 0) return undefined;
  const size = meanOf(sizes);
  const variation = Math.sqrt(meanOf(sizes.map((each) => (each - size) ** 2))) / size;
  const designEffect = standardError ** 2 / alone;
  const correlation = Math.min(1, (designEffect - 1) / ((variation ** 2 + 1) * size - 1));
  return { count: sizes.length, size, variation, correlation, designEffect, degreesOfFreedom };
}

/** Returns whether all questions were tried once and passed or failed. */
function isSinglePasses(tables: readonly (readonly (readonly number[])[])[]): boolean {
  return tables.flat().every((row) => row.length === 1 && (row[0] === 0 || row[0] === 1));
}

/** Returns differences between questions, with the variance of differences between two versions whose scores have a correlation of one half. */
function assumedDifferences(means: readonly number[]): number[] {
  return means.map((mean, index) => (mean - (means[(index + 1) % means.length] ?? 0)) / Math.SQRT2);
}

/** Returns the margin of the bounds beyond the margin of a normal test, times the number of differences. */
function unseenOf(differences: readonly number[]): number {
  const n = differences.length;
  const { lower, upper } = boundedMeanBounds({
    values: differences,
    range: [-1, 1],
    confidence: (1 + confidence) / 2,
  });
  const normal = normalQuantile((1 + confidence) / 2) * Math.sqrt(varianceOf(differences) * n);
  return Math.max(0, (n * ((upper ?? 1) - (lower ?? -1))) / 2 - normal);
}

function withinOf(table: readonly (readonly number[])[]): number {
  const components = varianceComponents({ table });
  return components.status === 'defined' ? components.withinVariance : 0;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}

/** Creates a mean that is unknown when one of its values is. */
function createMean() {
  let [sum, n, unknown] = [0, 0, 0];
  return {
    add: (value: number | undefined): void => {
      if (value === undefined) unknown += 1;
      else {
        sum += value;
        n += 1;
      }
    },
    read: (): number | null => (n === 0 || unknown > 0 ? null : sum / n),
  };
}
