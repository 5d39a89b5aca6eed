import { uncategorized } from '../../../core/schema/case.ts';
import { truthOf } from '../../../core/schema/expected.ts';
import type { MeasureNoise } from '../../../core/schema/estimate.ts';
import type { Outcome } from '../../../core/schema/result.ts';
import { createErrorReportTest, type Run, type RunScorecard } from '../../../core/schema/run.ts';
import type { CategorySummary, CriterionSummary, TargetSummary } from '../../../core/schema/summary.ts';
import { isTargetError } from '../../../core/schema/trial.ts';
import { type Criterion, isInvalidated, someVerdict } from '../../../core/schema/verdict.ts';
import { createNoiseTally } from '../noise.ts';
import { type CategoryValues, weightCategories } from './categories.ts';
import { type ClusterNumbers, createClusterNumbers } from './estimates.ts';
import { createTrialSelection } from './select-trials.ts';
import { createMetricTally } from './tally-metric.ts';
import { createReliabilityTally } from './tally-reliability.ts';
import { createShareTally, createTrialTally } from './tally-trials.ts';
import { createUnreadTally, createUsageTally } from './tally-usage.ts';

/**
 * Largest number of categories that are summarised with their metrics: of more, the details would only fill the
 * record.
 */
const mostDetailed = 100;

/**
 * Creates a tally of the numbers of one target.
 * @param categories - Planned cases of each category, in the order in which they are reported.
 */
export function createTargetTally(run: Run, target: string, categories: ReadonlyMap<string, number>) {
  const { attempts, scorecard, dataset } = run;
  const clusters = createClusterNumbers(dataset);
  const trials = createTrials(run, {
    cases: dataset.cases,
    clusters,
    caseWeight: dataset.caseWeights?.total,
  });
  const metrics = createMetrics(run, dataset.cases, clusters);
  const ofCategories = createCategories(run, categories);
  const errors = createErrors(run, clusters);
  const grades = createGrades(run);
  const usage = createUsageTally(attempts, clusters);
  const outcomes = scorecard?.outcomes && createOutcomeTally(scorecard, attempts, clusters);
  const reliability = createReliability(run, dataset.cases, clusters);
  const noise = createNoiseTally(run);
  const unread = createUnreadTally();
  const selection = createTrialSelection(run);
  const all = [trials, ...metrics, errors, grades, usage, outcomes, reliability, noise, unread, selection];
  const tallies = all.filter((tally) => tally !== undefined);

  return {
    /** Adds outcomes of the target in the order of the plan; larger batches are faster. */
    add: (some: readonly Outcome[]): void => {
      addToAll(tallies, some);
      ofCategories.add(some);
    },
    summarize: (): TargetSummary => ({
      target,
      ...trials.summarize(),
      errorRate: errors.summarize(),
      grades: grades.summarize(),
      ...outcomes?.summarize(),
      ...(reliability !== undefined && { reliability: reliability.summarize() }),
      ...noiseOf(noise.summarize()),
      metrics: metrics.map((metric) => metric.summarize()),
      categories: ofCategories.summarize(),
      ...(run.weights !== undefined &&
        scorecard !== null && { weighted: weightCategories(run.weights, ofCategories.values()) }),
      usage: usage.summarize(),
      ...unread.summarize(),
      selection: selection.summarize(),
    }),
  };
}

function noiseOf(measures: MeasureNoise[]): Pick<TargetSummary, 'noise'> {
  return measures.length === 0 ? {} : { noise: { measures } };
}

/** The cases that a tally counts: all of them, or the cases of a category. */
interface CountedCases {
  readonly cases: number;
  readonly clusters: ClusterNumbers;
  /** The sum of their weights; undefined where they weigh the same, and for a category. */
  readonly caseWeight?: number;
}

function createTrials(run: Run, { cases, clusters, caseWeight }: CountedCases) {
  return createTrialTally({
    planned: cases * run.attempts,
    caseWeight,
    attempts: run.attempts,
    clusters,
    hasScorecard: run.scorecard !== null,
    hasMetrics: run.metrics.length > 0,
    isErrorReport: createErrorReportTest(run),
  });
}

/** Creates the tally of repeated attempts; undefined where nothing passes, or each case is tried once. */
function createReliability(run: Run, cases: number, clusters: ClusterNumbers) {
  return run.scorecard === null || run.attempts === 1
    ? undefined
    : createReliabilityTally({ ...run, cases }, clusters);
}

function createMetrics({ metrics, attempts }: Run, cases: number, clusters: ClusterNumbers) {
  return metrics.map(({ name, judge }) =>
    createMetricTally(name, {
      planned: cases * attempts,
      attempts,
      clusters,
      isJudged: judge !== undefined,
    }),
  );
}

function createCategories(run: Run, categories: ReadonlyMap<string, number>) {
  const byName = new Map(
    Array.from(categories, ([category, cases], index) => {
      const clusters = createClusterNumbers(run.dataset);
      const trials = createTrials(run, { cases, clusters });
      const isDetailed = index < mostDetailed;
      const metrics = isDetailed ? createMetrics(run, cases, clusters) : [];
      const reliability = isDetailed ? createReliability(run, cases, clusters) : undefined;
      const all = [trials, ...metrics, ...(reliability === undefined ? [] : [reliability])];
      return [category, { trials, metrics, reliability, all }];
    }),
  );
  return {
    add: (outcomes: readonly Outcome[]): void => {
      const byCategory = Map.groupBy(outcomes, ({ case: { category = uncategorized } }) => category);
      for (const [name, some] of byCategory) addToAll(byName.get(name)?.all ?? [], some);
    },
    values: (): CategoryValues[] =>
      Array.from(byName, ([category, { trials }]) => ({ category, ...trials.values })),
    summarize: (): CategorySummary[] =>
      Array.from(byName, ([category, { trials, metrics, reliability }]) => {
        const { score, counts } = trials.summarize();
        const ofMetrics = metrics.map((metric) => metric.summarize());
        const level = reliability?.summarize().levels.at(-1);
        return {
          category,
          score,
          counts,
          ...(ofMetrics.length > 0 && { metrics: ofMetrics }),
          reliability: level,
        };
      }),
  };
}

/**
 * Creates the tally of errors. Trials that are invalid because of the simulated user, or missing from a recording,
 * contain no answer of the target, so they are no errors either.
 */
function createErrors(run: Run, clusters: ClusterNumbers) {
  const isErrorReport = createErrorReportTest(run);
  const share = createShareTally(run.attempts, clusters);
  return {
    add: (result: Outcome): void => {
      const { trial, verdicts } = result;
      const isError = isTargetError(trial);
      if (trial.status !== 'completed' && !isError) return;
      if (someVerdict(verdicts, isInvalidated)) return;
      share.add(result, isError || isErrorReport(result));
    },
    summarize: () => share.estimate(),
  };
}

function createGrades({ scorecard }: Run) {
  const counts = new Map(scorecard?.grades.map(({ grade }) => [grade, 0]));
  return {
    add: ({ scorecard: result }: Outcome): void => {
      const grade = result?.grade ?? undefined;
      if (grade !== undefined) counts.set(grade, (counts.get(grade) ?? 0) + 1);
    },
    summarize: (): Record<string, number> => Object.fromEntries(counts),
  };
}

/** Creates a tally of the outcomes of trials and of the criteria that they did not meet. */
export function createOutcomeTally(
  { outcomes = [], criteria }: RunScorecard,
  attempts: number,
  clusters: ClusterNumbers = createClusterNumbers(),
) {
  const rules = outcomes.map(({ outcome }) => ({
    outcome,
    trials: 0,
    share: createShareTally(attempts, clusters),
  }));
  const ofCriteria = criteria.map((criterion) =>
    createCriterionTally(criterion, createShareTally(attempts, clusters)),
  );
  return {
    add: (result: Outcome): void => {
      if (result.trial.status === 'cancelled' || result.scorecard === null) return;
      for (const criterion of ofCriteria) criterion.add(result);
      const outcome = result.scorecard.outcome ?? null;
      if (outcome === null) return;
      for (const rule of rules) {
        const isThis = rule.outcome === outcome;
        rule.trials += Number(isThis);
        rule.share.add(result, isThis);
      }
    },
    summarize: (): Required<Pick<TargetSummary, 'outcomes' | 'criteria'>> => ({
      outcomes: rules.map(({ outcome, trials, share }) => ({ outcome, trials, share: share.estimate() })),
      criteria: ofCriteria.map((criterion) => criterion.summarize()),
    }),
  };
}

function createCriterionTally(criterion: Criterion, share: ReturnType<typeof createShareTally>) {
  const counts = { unmet: 0, measured: 0, notApplicable: 0, notMeasured: 0 };
  return {
    add: (outcome: Outcome): void => {
      const truth = truthOf(criterion, outcome.verdicts[criterion.metric]);
      if (truth === 'not-applicable') counts.notApplicable += 1;
      else if (truth === 'not-measured') counts.notMeasured += 1;
      else {
        const isUnmet = (truth === 'true') === (criterion.negative === true);
        counts.measured += 1;
        counts.unmet += Number(isUnmet);
        share.add(outcome, isUnmet);
      }
    },
    summarize: (): CriterionSummary => ({
      criterion: criterion.name,
      weight: criterion.weight,
      ...counts,
      share: share.estimate(),
    }),
  };
}

/**
 * Adds outcomes to each tally in turn, in batches: running a hundred outcomes through one tally takes half as long as
 * running each outcome through all tallies.
 */
export function addToAll(
  tallies: readonly { readonly add: (outcome: Outcome) => unknown }[],
  outcomes: readonly Outcome[],
): void {
  for (const { add } of tallies) for (const outcome of outcomes) add(outcome);
}
