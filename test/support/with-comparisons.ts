import type { ReportInput } from '../../src/look/reporters/reporter.ts';
import { createTargetComparison } from '../../src/decide/analysis/compare/compare-targets.ts';
import { uncategorized } from '../../src/core/schema/case.ts';

/** Returns the input of a report with its targets compared as a run does it, for tests. */
export async function withComparisons(input: ReportInput): Promise<ReportInput> {
  // A run's outcomes come case by case; a sample's may come target by target.
  const outcomes = await Array.fromAsync(input.results());
  const byCase = Map.groupBy(outcomes, ({ trial }) => trial.caseId);
  const categories = new Set(outcomes.map((outcome) => outcome.case.category ?? uncategorized));
  const comparison = createTargetComparison(input.run, [...categories]);
  for (const outcome of [...byCase.values()].flat()) comparison.add(outcome);
  return { ...input, summary: { ...input.summary, comparisons: comparison.summarize() } };
}
