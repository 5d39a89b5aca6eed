import type { TargetSummary, TrialCounts } from '../../schema/summary.ts';

/**
 * The numbers of a target of which the rest was not needed: what was not asked, or not scored any more, is told apart from
 * what could not be measured, and is no part of the coverage.
 */
export function withoutNotNeeded(target: TargetSummary): TargetSummary {
  const { counts, coverage, worstCase, bestCase } = target;
  const { planned, notNeeded = 0 } = counts;
  const left = leftOf(counts);
  if (left === 0) return target;
  const due = planned - notNeeded;
  const isEmpty = due === left;
  return {
    ...target,
    counts: markLeft(counts),
    coverage: isEmpty ? 0 : (coverage * due) / (due - left),
    // Attempts that are made stand for those of their case that were not needed.
    worstCase: worstCase === null || isEmpty ? null : (worstCase * planned) / (planned - left),
    bestCase: bestCase === null || isEmpty ? null : (bestCase * planned - left) / (planned - left),
    metrics: target.metrics.map((metric) => ({ ...metric, planned: metric.planned - left })),
    categories: target.categories.map((category) => ({ ...category, counts: markLeft(category.counts) })),
  };
}

/** Trials that were not asked, or answered and not scored. */
function leftOf({ notRun, unscored = 0 }: TrialCounts): number {
  return notRun + unscored;
}

function markLeft({ unscored = 0, ...counts }: TrialCounts): TrialCounts {
  const { notRun, notMeasured, notNeeded = 0 } = counts;
  if (notRun + unscored === 0) return counts;
  return {
    ...counts,
    notMeasured: notMeasured - unscored,
    notRun: 0,
    notNeeded: notNeeded + notRun + unscored,
  };
}
