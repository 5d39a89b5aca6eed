import { type CaseRule, type CaseVerdict, verdictOnCase } from '../../schema/case-rule.ts';
import type { CaseRuleSummary } from '../../schema/reliability.ts';
import type { OfCase } from './case-means.ts';
import type { ClusterNumbers } from './cluster-numbers.ts';
import { createShareTally } from './tally-trials.ts';

/** How many attempts at a case were measured, passed, and were not needed. */
export interface CaseCounts {
  readonly measured: number;
  readonly passed: number;
  readonly notNeeded: number;
}

/**
 * Counts how cases come out by a rule. The verdict on a case is one observation, so their share is a proportion.
 * @param plan - Attempts planned for each case, and the cases.
 */
export function createCaseRuleTally(
  rule: CaseRule,
  { attempts, cases }: { readonly attempts: number; readonly cases: number },
  clusters: ClusterNumbers,
) {
  const counts = { passed: 0, failed: 0, undecided: 0 };
  const share = createShareTally(1, clusters);
  let [notNeeded, seen] = [0, 0];
  const verdictOf = ({ measured, passed }: Pick<CaseCounts, 'measured' | 'passed'>): CaseVerdict =>
    verdictOnCase(rule, { planned: attempts, measured, passed });
  return {
    verdictOf,
    add: (of: OfCase, attemptCounts: CaseCounts): void => {
      const verdict = verdictOf(attemptCounts);
      seen += 1;
      counts[verdict] += 1;
      notNeeded += attemptCounts.notNeeded;
      if (verdict !== 'undecided') share.add(of, verdict === 'passed');
    },
    /** To be asked for once, after the last case. */
    summarize: (): CaseRuleSummary => ({
      ...rule,
      ...counts,
      undecided: counts.undecided + Math.max(0, cases - seen),
      share: share.estimate(),
      notNeeded,
    }),
  };
}
