import type { ScorecardResult } from '../../schema/scorecard-result.ts';
import type { Verdict } from '../../schema/verdict.ts';
import type { LiveScorecard } from '../evaluation.ts';

type Verdicts = Readonly<Record<string, Verdict>>;

/**
 * What a scorecard makes of verdicts, which are given by the names of their metrics in the run; and where a judge was asked
 * several times, what each sample by itself would have made the total.
 */
export function evaluateCard(scorecard: LiveScorecard | null, verdicts: Verdicts): ScorecardResult | null {
  if (scorecard === null) return null;
  const result = evaluate(scorecard, verdicts);
  const samples = samplesOf(scorecard, verdicts).map((sample) => evaluate(scorecard, sample).total);
  if (samples.length === 0) return result;
  const totals = samples.filter((total) => total !== null);
  return totals.length < 2 || totals.length < samples.length ? result : { ...result, samples: totals };
}

function evaluate(scorecard: LiveScorecard, verdicts: Verdicts): ScorecardResult {
  const byCriterion = new Map<string, Verdict>();
  for (const { name, metric } of scorecard.criteria) {
    const verdict = verdicts[metric];
    if (verdict !== undefined) byCriterion.set(name, verdict);
  }
  return scorecard.evaluate(byCriterion);
}

/** The verdicts as they were with the first sample of every judge alone, then with the second; empty for a single one. */
function samplesOf({ criteria }: LiveScorecard, verdicts: Verdicts): Verdicts[] {
  let fewest = Number.POSITIVE_INFINITY;
  for (const { metric } of criteria) {
    const verdict = verdicts[metric];
    if (verdict?.status === 'scored') fewest = Math.min(fewest, verdict.samples?.length ?? fewest);
  }
  if (fewest === Number.POSITIVE_INFINITY) return [];
  return Array.from({ length: fewest }, (_, place) =>
    Object.fromEntries(criteria.flatMap(({ metric }) => atSample(metric, verdicts[metric], place))),
  );
}

function atSample(name: string, verdict: Verdict | undefined, place: number): [string, Verdict][] {
  if (verdict === undefined) return [];
  const sample = verdict.status === 'scored' ? verdict.samples?.[place] : undefined;
  return [[name, sample === undefined ? verdict : { ...verdict, ...sample }]];
}
