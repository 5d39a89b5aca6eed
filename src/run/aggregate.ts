import { uncategorized } from '../schema/case.ts';
import { createErrorReportTest } from '../schema/error-report.ts';
import type { Outcome } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import { isSpoilt } from '../schema/verdict.ts';
import type { CategorySummary, Summary, TargetSummary } from '../schema/summary.ts';
import { createTargetComparison } from './compare-targets.ts';
import { createMetricCorrelation } from './correlate-metrics.ts';
import { createDisagreementTally } from './disagreements.ts';
import { createMetricTally } from './tally-metric.ts';
import { createOutcomeTally } from './tally-outcomes.ts';
import { createReliabilityTally } from './tally-reliability.ts';
import { createRobustnessTally } from './tally-robustness.ts';
import { createShareTally, createTrialTally } from './tally-trials.ts';
import { createUsageTally } from './tally-usage.ts';

/** Categories beyond this many are told without their metrics: nobody reads them, and they would fill the record. */
const mostDetailed = 100;

/**
 * The numbers of a run: each target by itself, the targets side by side, the metrics against each other, and what conditions
 * make of the targets. Only in the last have targets under conditions a part, beside their own numbers.
 */
export type RunNumbers = Pick<
  Summary,
  'targets' | 'comparisons' | 'disagreements' | 'correlations' | 'robustness'
>;

/**
 * The numbers of a run. Reads results once, in the order of the plan, in memory that does not grow with their number (but
 * 8 bytes for each measured quantity, so that percentiles are exact).
 * @param categories - Planned cases of each category, in the order in which they are reported.
 */
export async function aggregate(
  run: Run,
  categories: ReadonlyMap<string, number>,
  results: AsyncIterable<Outcome>,
): Promise<RunNumbers> {
  const tallies = new Map(run.targets.map(({ name }) => [name, createTargetTally(run, name, categories)]));
  const plain = { ...run, targets: run.targets.filter(({ condition }) => condition === undefined) };
  const plainNames = new Set(plain.targets.map(({ name }) => name));
  const comparison = createTargetComparison(plain, [...categories.keys()]);
  const disagreements = createDisagreementTally(plain);
  const correlation = createMetricCorrelation(plain);
  const robustness = createRobustnessTally(run);
  for await (const result of results) {
    tallies.get(result.trial.target)?.add(result);
    robustness.add(result);
    if (!plainNames.has(result.trial.target)) continue;
    comparison.add(result);
    disagreements.add(result);
    correlation.add(result);
  }
  return {
    targets: Array.from(tallies.values(), (tally) => tally.summarize()),
    comparisons: comparison.summarize(),
    disagreements: disagreements.summarize(),
    correlations: correlation.summarize(),
    robustness: robustness.summarize(),
  };
}

function createTargetTally(run: Run, target: string, categories: ReadonlyMap<string, number>) {
  const { attempts } = run;
  const isErrorReport = createErrorReportTest(run);
  const tallyOf = (cases: number) =>
    createTrialTally({
      planned: cases * attempts,
      attempts,
      hasScorecard: run.scorecard !== null,
      hasMetrics: run.metrics.length > 0,
      isErrorReport,
    });
  const all = tallyOf(run.dataset.cases);
  const metricsOf = (cases: number) =>
    run.metrics.map(({ name }) => createMetricTally(name, cases * attempts));
  const metrics = metricsOf(run.dataset.cases);
  const byCategory = new Map(
    Array.from(categories, ([category, cases], index) => [
      category,
      { trials: tallyOf(cases), metrics: index < mostDetailed ? metricsOf(cases) : [] },
    ]),
  );
  const errors = createShareTally(attempts);
  const usage = createUsageTally();
  const grades = new Map(run.scorecard?.grades.map(({ grade }) => [grade, 0]));
  const outcomes = run.scorecard?.outcomes && createOutcomeTally(run.scorecard, attempts);
  const reliability =
    run.scorecard === null || attempts === 1
      ? undefined
      : createReliabilityTally(attempts, run.dataset.cases);

  return {
    add: (result: Outcome): void => {
      all.add(result);
      for (const metric of metrics) metric.add(result);
      const category = byCategory.get(result.case.category ?? uncategorized);
      category?.trials.add(result);
      for (const metric of category?.metrics ?? []) metric.add(result);
      const { caseId, status } = result.trial;
      // What the simulated user spoilt is no answer of the target's, so it is no error either.
      const isCounted = status !== 'cancelled' && !Object.values(result.verdicts).some(isSpoilt);
      if (isCounted) errors.add(caseId, status === 'failed' || isErrorReport(result));
      usage.add(result);
      outcomes?.add(result);
      reliability?.add(result);
      const grade = result.scorecard?.grade ?? undefined;
      if (grade !== undefined) grades.set(grade, (grades.get(grade) ?? 0) + 1);
    },
    summarize: (): TargetSummary => ({
      target,
      ...all.summarize(),
      errorRate: errors.estimate(),
      grades: Object.fromEntries(grades),
      ...outcomes?.summarize(),
      ...(reliability !== undefined && { reliability: reliability.summarize() }),
      metrics: metrics.map((metric) => metric.summarize()),
      categories: Array.from(byCategory, ([category, tally]): CategorySummary => {
        const { score, counts } = tally.trials.summarize();
        const ofMetrics = tally.metrics.map((metric) => metric.summarize());
        return { category, score, counts, ...(ofMetrics.length > 0 && { metrics: ofMetrics }) };
      }),
      usage: usage.summarize(),
    }),
  };
}
