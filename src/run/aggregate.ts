import { uncategorized } from '../schema/case.ts';
import type { Outcome } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import type { CategorySummary, TargetSummary } from '../schema/summary.ts';
import { createMetricTally } from './tally-metric.ts';
import { createShareTally, createTrialTally } from './tally-trials.ts';

/**
 * The numbers of a run, target by target. Reads results once, in the order of the plan, in memory that does not grow
 * with their number (but 8 bytes for each measured quantity, so that percentiles are exact).
 * @param categories - Planned cases of each category, in the order in which they are reported.
 */
export async function aggregate(
  run: Run,
  categories: ReadonlyMap<string, number>,
  results: AsyncIterable<Outcome>,
): Promise<TargetSummary[]> {
  const tallies = new Map(run.targets.map(({ name }) => [name, createTargetTally(run, name, categories)]));
  for await (const result of results) tallies.get(result.trial.target)?.add(result);
  return Array.from(tallies.values(), (tally) => tally.summarize());
}

function createTargetTally(run: Run, target: string, categories: ReadonlyMap<string, number>) {
  const { attempts } = run;
  const all = createTrialTally(run.dataset.cases * attempts, attempts);
  const byCategory = new Map(
    Array.from(categories, ([category, cases]) => [category, createTrialTally(cases * attempts, attempts)]),
  );
  const planned = run.dataset.cases * attempts;
  const metrics = run.metrics.map(({ name }) => createMetricTally(name, planned));
  const errors = createShareTally(attempts);
  const grades = new Map(run.scorecard?.grades.map(({ grade }) => [grade, 0]));

  return {
    add: (result: Outcome): void => {
      all.add(result);
      byCategory.get(result.case.category ?? uncategorized)?.add(result);
      for (const metric of metrics) metric.add(result);
      if (result.trial.status !== 'cancelled') errors.add(result.trial.caseId, endedInError(run, result));
      const grade = result.scorecard?.grade ?? undefined;
      if (grade !== undefined) grades.set(grade, (grades.get(grade) ?? 0) + 1);
    },
    summarize: (): TargetSummary => ({
      target,
      ...all.summarize(),
      errorRate: errors.estimate(),
      grades: Object.fromEntries(grades),
      metrics: metrics.map((metric) => metric.summarize()),
      categories: Array.from(byCategory, ([category, tally]): CategorySummary => {
        const { score, counts } = tally.summarize();
        return { category, score, counts };
      }),
    }),
  };
}

/** Failed, or answered with what the error-handling metric recognised as an error report. */
function endedInError(run: Run, { trial, verdicts }: Outcome): boolean {
  if (trial.status === 'failed') return true;
  const metric = run.metrics.find(({ use }) => use.use === 'error-handling');
  const verdict = metric === undefined ? undefined : verdicts[metric.name];
  return verdict?.status === 'scored' && verdict.passed === false;
}
