import type { ScorecardResult } from '../schema/scorecard-result.ts';
import type { Verdict } from '../schema/verdict.ts';
import type { LiveScorecard } from './evaluation.ts';

type Verdicts = Readonly<Record<string, Verdict>>;

/**
 * What a scorecard makes of verdicts, which are given by the names of their metrics in the run; and where a judge was asked
 * several times, what each sample by itself would have made the total.
 */
export function evaluateCard(scorecard: LiveScorecard | null, verdicts: Verdicts): ScorecardResult | null {
  if (scorecard === null) return null;
  const result = evaluate(scorecard, verdicts);
  const samples = samplesOf(scorecard, verdicts).map((sample) => evaluate(scorecard, sample).total);
  const totals = samples.filter((total) => total !== null);
  return totals.length < 2 || totals.length < samples.length ? result : { ...result, samples: totals };
}

function evaluate(scorecard: LiveScorecard, verdicts: Verdicts): ScorecardResult {
  const entries = scorecard.criteria.flatMap(({ name, metric }): [string, Verdict][] => {
    const verdict = verdicts[metric];
    return verdict === undefined ? [] : [[name, verdict]];
  });
  return scorecard.evaluate(new Map(entries));
}

/** The verdicts as they were with the first sample of every judge alone, then with the second; empty for a single one. */
function samplesOf({ criteria }: LiveScorecard, verdicts: Verdicts): Verdicts[] {
  const names = criteria.map(({ metric }) => metric);
  const counts = names.flatMap((name) => {
    const verdict = verdicts[name];
    return verdict?.status === 'scored' && verdict.samples !== undefined ? [verdict.samples.length] : [];
  });
  if (counts.length === 0) return [];
  return Array.from({ length: Math.min(...counts) }, (_, place) =>
    Object.fromEntries(names.flatMap((name) => atSample(name, verdicts[name], place))),
  );
}

function atSample(name: string, verdict: Verdict | undefined, place: number): [string, Verdict][] {
  if (verdict === undefined) return [];
  const sample = verdict.status === 'scored' ? verdict.samples?.[place] : undefined;
  return [[name, sample === undefined ? verdict : { ...verdict, ...sample }]];
}
