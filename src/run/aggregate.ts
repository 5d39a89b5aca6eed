import { uncategorized } from '../schema/case.ts';
import { createErrorReportTest } from '../schema/error-report.ts';
import type { Outcome } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import type { CategorySummary, Summary, TargetSummary } from '../schema/summary.ts';
import { createTargetComparison } from './compare-targets.ts';
import { createMetricCorrelation } from './correlate-metrics.ts';
import { createDisagreementTally } from './disagreements.ts';
import { createMetricTally } from './tally-metric.ts';
import { createShareTally, createTrialTally } from './tally-trials.ts';
import { createUsageTally } from './tally-usage.ts';

/** Categories beyond this many are told without their metrics: nobody reads them, and they would fill the record. */
const mostDetailed = 100;

/** The numbers of a run: each target by itself, the targets side by side, and the metrics against each other. */
export type RunNumbers = Pick<Summary, 'targets' | 'comparisons' | 'disagreements' | 'correlations'>;

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
  const comparison = createTargetComparison(run, [...categories.keys()]);
  const disagreements = createDisagreementTally(run);
  const correlation = createMetricCorrelation(run);
  for await (const result of results) {
    tallies.get(result.trial.target)?.add(result);
    comparison.add(result);
    disagreements.add(result);
    correlation.add(result);
  }
  return {
    targets: Array.from(tallies.values(), (tally) => tally.summarize()),
    comparisons: comparison.summarize(),
    disagreements: disagreements.summarize(),
    correlations: correlation.summarize(),
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
  const grades = createCountTally(run.scorecard?.grades.map(({ grade }) => grade) ?? []);
  const outcomes = createCountTally(run.scorecard?.outcomes?.map(({ outcome }) => outcome) ?? []);

  return {
    add: (result: Outcome): void => {
      all.add(result);
      for (const metric of metrics) metric.add(result);
      const category = byCategory.get(result.case.category ?? uncategorized);
      category?.trials.add(result);
      for (const metric of category?.metrics ?? []) metric.add(result);
      const { caseId, status } = result.trial;
      if (status !== 'cancelled') errors.add(caseId, status === 'failed' || isErrorReport(result));
      usage.add(result);
      grades.add(result.scorecard?.grade);
      outcomes.add(result.scorecard?.outcome);
    },
    summarize: (): TargetSummary => ({
      target,
      ...all.summarize(),
      errorRate: errors.estimate(),
      grades: grades.counts(),
      ...(run.scorecard?.outcomes !== undefined && { outcomes: outcomes.counts() }),
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

/** Counts names, the given ones first and from 0. */
function createCountTally(names: readonly string[]) {
  const counts = new Map(names.map((name) => [name, 0]));
  return {
    add: (name: string | null | undefined): void => {
      if (name !== null && name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    counts: (): Record<string, number> => Object.fromEntries(counts),
  };
}
