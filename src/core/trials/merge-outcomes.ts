import { type CaseRule, verdictOnCase } from '../schema/expected.ts';
import type { TrialOutcome } from '../schema/result.ts';

const worstFirst = ['unscored', 'failed', 'error', 'not-measured'] as const satisfies readonly TrialOutcome[];

/**
 * Returns the outcome of a case from the outcomes of its attempts. Without a rule, it passed only when every planned attempt
 * did; otherwise the worst outcome counts, a failure before an error before a missing measurement, and an attempt
 * that was not made is not measured. With a rule, the number of attempts that it requires must pass.
 */
export function mergeOutcomes(
  outcomes: readonly TrialOutcome[],
  planned: number,
  rule?: CaseRule,
): TrialOutcome {
  if (rule !== undefined && planned >= rule.passes) {
    const verdict = verdictOnCase(rule, { planned, ...countOutcomes(outcomes) });
    if (verdict !== 'undecided') return verdict;
    return outcomes.find((outcome) => outcome !== 'passed' && outcome !== 'failed') ?? 'not-measured';
  }
  const worst = worstFirst.find((outcome) => outcomes.includes(outcome));
  return worst ?? (outcomes.length < planned ? 'not-measured' : 'passed');
}

/** Counts the outcomes that passed, and those that passed or failed. */
export function countOutcomes(outcomes: readonly TrialOutcome[]): {
  readonly passed: number;
  readonly measured: number;
} {
  const passed = outcomes.filter((outcome) => outcome === 'passed').length;
  return { passed, measured: passed + outcomes.filter((outcome) => outcome === 'failed').length };
}
