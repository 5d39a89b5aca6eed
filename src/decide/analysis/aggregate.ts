import { withoutConditions } from '../../core/schema/condition.ts';
import type { Outcome } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Summary } from '../../core/schema/summary.ts';
import { createTargetComparison } from './compare/compare-targets.ts';
import { createDisagreementTally, createMetricCorrelation } from './disagreements.ts';
import { createRobustnessTally } from './robustness.ts';
import { addToAll, createTargetTally } from './summary/tally-target.ts';

/**
 * The numbers of a run: each target, the comparison of the targets, the agreement of the metrics, and the robustness
 * of the targets. Targets under conditions have numbers of their own and otherwise count only for robustness.
 */
export type RunNumbers = Pick<
  Summary,
  'targets' | 'comparisons' | 'disagreements' | 'correlations' | 'robustness'
>;

/**
 * Computes the numbers of a run. It reads results once, in the order of the plan, in memory that does not grow with
 * their number (except 8 bytes for each measured quantity, so that percentiles are exact).
 * @param categories - Planned cases of each category, in the order in which they are reported.
 * @param outcomes - The outcomes in the order of the plan, in batches.
 */
export async function aggregate(
  run: Run,
  categories: ReadonlyMap<string, number>,
  outcomes: AsyncIterable<readonly Outcome[]>,
): Promise<RunNumbers> {
  const tallies = new Map(run.targets.map(({ name }) => [name, createTargetTally(run, name, categories)]));
  const plain = { ...run, targets: withoutConditions(run.targets) };
  const plainNames = new Set(plain.targets.map(({ name }) => name));
  const areAllPlain = plainNames.size === run.targets.length;
  const comparison = createTargetComparison(plain, [...categories.keys()]);
  const disagreements = createDisagreementTally(plain);
  const correlation = createMetricCorrelation(plain);
  const robustness = createRobustnessTally(run);
  for await (const some of outcomes) {
    const byTarget = Map.groupBy(some, ({ trial }) => trial.target);
    for (const [target, ofTarget] of byTarget) tallies.get(target)?.add(ofTarget);
    addToAll([robustness], some);
    const ofPlain = areAllPlain ? some : some.filter(({ trial }) => plainNames.has(trial.target));
    addToAll([comparison, disagreements, correlation], ofPlain);
  }
  return {
    targets: Array.from(tallies.values(), (tally) => tally.summarize()),
    comparisons: comparison.summarize(),
    disagreements: disagreements.summarize(),
    correlations: correlation.summarize(),
    robustness: robustness.summarize(),
  };
}
