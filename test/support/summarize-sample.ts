import { createTrialSelection } from '../../src/decide/analysis/summary/select-trials.ts';
import type { Result } from '../../src/core/schema/result.ts';
import type { Run } from '../../src/core/schema/run.ts';
import type { Trial } from '../../src/core/schema/trial.ts';
import type { Total, UsageSummary } from '../../src/core/schema/usage.ts';
import type { Estimate } from '../../src/core/schema/estimate.ts';
import type {
  CategorySummary,
  MetricSummary,
  Summary,
  TargetSummary,
  TrialCounts,
} from '../../src/core/schema/summary.ts';

/** Builds the summary of a sample run, with a rough interval: enough for tests of reports, which only show it. */
export function summarizeSample(run: Run, results: readonly Result[]): Summary {
  const targets = run.targets.map(({ name }) =>
    summarizeTarget(
      run,
      name,
      results.filter(({ trial }) => trial.target === name),
    ),
  );
  return { targets, comparisons: [], decision: { outcome: 'pass', reasons: [] } };
}

function summarizeTarget(run: Run, target: string, results: readonly Result[]): TargetSummary {
  const counts = countTrials(results);
  const totals = totalsOf(results);
  const sum = totals.reduce((all, total) => all + total, 0);
  const categories = Map.groupBy(results, (result) => result.case.category ?? 'uncategorized');
  const grades = Map.groupBy(results, ({ scorecard }) => scorecard?.grade ?? '');
  grades.delete('');
  const isPassed = results.flatMap(({ scorecard }) =>
    typeof scorecard?.passed === 'boolean' ? [Number(scorecard.passed)] : [],
  );
  const selection = createTrialSelection(run);
  for (const result of results) selection.add(result);
  return {
    target,
    score: roughEstimate(totals),
    passRate: roughEstimate(isPassed),
    counts,
    coverage: counts.measured / counts.planned,
    worstCase: sum / counts.planned,
    bestCase: (sum + counts.planned - counts.measured) / counts.planned,
    errorRate: roughEstimate(
      results.map(({ verdicts }) => Number(valueOf(verdicts['error-handling']) === 0)),
    ),
    grades: Object.fromEntries([...grades].map(([grade, all]) => [grade, all.length])),
    metrics: run.metrics.map(({ name }) => summarizeMetric(name, results)),
    categories: [...categories].map(([category, all]) => summarizeCategory(category, all)),
    usage: summarizeUsage(results),
    selection: selection.summarize(),
  };
}

function summarizeCategory(category: string, results: readonly Result[]): CategorySummary {
  return { category, score: roughEstimate(totalsOf(results)), counts: countTrials(results) };
}

function summarizeUsage(results: readonly Result[]): UsageSummary {
  const totalOf = (read: (trial: Trial) => number | undefined): Total => {
    const known = results.flatMap(({ trial }) => read(trial) ?? []);
    const sum = known.length === 0 ? null : known.reduce((all, amount) => all + amount, 0);
    return { sum, reported: known.length, unknown: results.length - known.length };
  };
  return {
    trials: results.length,
    inputTokens: totalOf(({ usage }) => usage?.inputTokens),
    outputTokens: totalOf(({ usage }) => usage?.outputTokens),
    cachedTokens: totalOf(({ usage }) => usage?.cachedTokens),
    reasoningTokens: totalOf(({ usage }) => usage?.reasoningTokens),
    cost: totalOf(({ cost }) => cost),
    retries: results.reduce((all, { trial }) => all + trial.retries, 0),
    latency: null,
  };
}

function countTrials(results: readonly Result[]): TrialCounts {
  const measured = results.filter(({ scorecard }) => typeof scorecard?.total === 'number');
  const errors = results.filter(({ trial }) => trial.status === 'failed').length;
  const passed = measured.filter(({ scorecard }) => scorecard?.passed).length;
  return {
    planned: results.length,
    measured: measured.length,
    errors,
    notMeasured: results.length - measured.length - errors,
    cancelled: 0,
    notRun: 0,
    passed,
    failed: measured.length - passed,
    errorReports: results.filter(
      ({ trial, verdicts }) => trial.status === 'completed' && valueOf(verdicts['error-handling']) === 0,
    ).length,
  };
}

function summarizeMetric(metric: string, results: readonly Result[]): MetricSummary {
  const values = results.flatMap(({ verdicts }) => valueOf(verdicts[metric]) ?? []);
  const isTime = metric === 'latency';
  const sorted = values.toSorted((a, b) => a - b);
  const percentile = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return {
    metric,
    ...(isTime ? { unit: 'ms' } : {}),
    estimate: roughEstimate(values, isTime ? Infinity : 1),
    planned: results.length,
    scored: values.length,
    notApplicable: 0,
    failed: results.length - values.length,
    ...(isTime ? { percentiles: { p50: percentile(0.5), p90: percentile(0.9), p99: percentile(0.99) } } : {}),
  };
}

function roughEstimate(values: readonly number[], most = 1): Estimate {
  const n = values.length;
  const about = { n, confidence: 0.95, method: 'student-t' };
  if (n === 0) return { ...about, value: null, lower: null, upper: null, reason: 'nothing was measured' };
  const mean = values.reduce((all, value) => all + value, 0) / n;
  if (n === 1)
    return { ...about, value: mean, lower: null, upper: null, reason: 'one question has no spread' };
  const squares = values.reduce((all, value) => all + (value - mean) ** 2, 0);
  const margin = 2 * Math.sqrt(squares / (n - 1) / n);
  return { ...about, value: mean, lower: Math.max(0, mean - margin), upper: Math.min(most, mean + margin) };
}

function totalsOf(results: readonly Result[]): number[] {
  return results.flatMap(({ scorecard }) => scorecard?.total ?? []);
}

function valueOf(verdict: Result['verdicts'][string] | undefined): number | undefined {
  return verdict?.status === 'scored' ? verdict.value : undefined;
}
