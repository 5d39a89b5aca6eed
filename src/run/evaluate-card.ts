import type { ScorecardResult } from '../schema/scorecard-result.ts';
import type { Verdict } from '../schema/verdict.ts';
import type { LiveScorecard } from './evaluation.ts';

/** What a scorecard makes of verdicts, which are given by the names of their metrics in the run. */
export function evaluateCard(
  scorecard: LiveScorecard | null,
  verdicts: Readonly<Record<string, Verdict>>,
): ScorecardResult | null {
  if (scorecard === null) return null;
  const entries = scorecard.criteria.flatMap(({ name, metric }): [string, Verdict][] => {
    const verdict = verdicts[metric];
    return verdict === undefined ? [] : [[name, verdict]];
  });
  return scorecard.evaluate(new Map(entries));
}
