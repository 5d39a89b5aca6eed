import {
  type CompareChoices,
  compareRuns as compareMeasured,
} from '../../decide/analysis/compare/compare-runs.ts';
import type { KeptRun } from '../../decide/analysis/compare/compared-run.ts';
import type { RunComparison } from '../../core/schema/run-comparison.ts';
import { reviewJudgedRows } from './calibrate/compare-judged.ts';

/**
 * Compares stored runs with the first of them, or the two targets of a single run, and corrects what rests on judges with
 * certificates. Everything that compares runs does so by this function. Throws as `compareRuns` of the analysis does, and
 * `store-damaged`.
 */
export async function compareRuns(
  runs: readonly KeptRun[],
  choices: Omit<CompareChoices, 'review'> = {},
): Promise<RunComparison> {
  return await compareMeasured(runs, { ...choices, review: reviewJudgedRows });
}
