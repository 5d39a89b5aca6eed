import type {
  AnswerPreference,
  PreferenceReport,
  TargetPreference,
} from '../../../core/schema/api/preference/report.ts';
import { mcnemar } from '../../../core/stats/paired/mcnemar.ts';
import { lengthControlledWinRate } from '../../../core/stats/preference/length-controlled-win-rate.ts';
import {
  type PreferenceRanking,
  rankByPreference,
} from '../../../core/stats/preference/rank-by-preference.ts';
import { type PreferenceOutcome, winRate } from '../../../core/stats/preference/win-rate.ts';

/** The least number of independent cases for a verdict, as in a comparison of runs. */
const leastCases = 5;

/** Two targets, the verdicts on their answers, and what was to be compared. */
export interface PairToSummarize {
  readonly a: string;
  readonly b: string;
  readonly preferences: readonly AnswerPreference[];
  readonly planned: number;
  readonly casesOnlyInA: number;
  readonly casesOnlyInB: number;
}

/**
 * Computes the numbers of two targets from the verdicts on their answers. What was not measured counts neither as a win
 * nor as a tie.
 */
export function summarizePair(pair: PairToSummarize): TargetPreference {
  const { a, b, preferences, planned, casesOnlyInA, casesOnlyInB } = pair;
  const measured = preferences.filter(isMeasured);
  const clusters = measured.map(clusterOf);
  const rate = winRate({ outcomes: measured.map(outcomeOf), clusters });
  const { wins, ties, losses, standardError, estimate, lower, upper, n, confidence, method } = rate;
  return {
    a,
    b,
    verdict: verdictOf({ cases: new Set(clusters).size, lower, upper }),
    wins,
    ties,
    losses,
    identical: preferences.filter(({ outcome }) => outcome.status === 'identical').length,
    winRate: {
      value: estimate,
      lower,
      upper,
      n,
      clusters: rate.clusters,
      confidence,
      method,
      ...(rate.status === 'undefined' && { reason: rate.reason }),
      standardError,
    },
    planned,
    measured: measured.length,
    notMeasured: countReasons(preferences, planned),
    casesOnlyInA,
    casesOnlyInB,
    position: positionOf(preferences),
    lengthControlled: controlLength(measured),
  };
}

function isMeasured({ outcome }: AnswerPreference): boolean {
  return outcome.status !== 'not-measured';
}

/** Returns the unit that verdicts depend on: the cluster of the case, or the case itself. */
function clusterOf({ cluster, caseHash }: AnswerPreference): string {
  return cluster === undefined ? `case ${caseHash}` : `cluster ${cluster}`;
}

function outcomeOf({ outcome }: AnswerPreference): PreferenceOutcome {
  if (outcome.status !== 'decided' || outcome.winner === 'tie') return 'tie';
  return outcome.winner === 'a' ? 'win' : 'loss';
}

function verdictOf({
  cases,
  lower,
  upper,
}: {
  readonly cases: number;
  readonly lower: number | null;
  readonly upper: number | null;
}): TargetPreference['verdict'] {
  if (cases < leastCases || lower === null || upper === null) return 'not-enough-data';
  if (lower > 0.5) return 'a-better';
  return upper < 0.5 ? 'b-better' : 'no-visible-difference';
}

/** Counts why pairs were not measured. Pairs without a record were not asked before the command was stopped. */
function countReasons(
  preferences: readonly AnswerPreference[],
  planned: number,
): TargetPreference['notMeasured'] {
  const reasons = new Map<string, { code: string; pairs: number; reason: string }>();
  for (const { outcome } of preferences) {
    if (outcome.status !== 'not-measured') continue;
    const { code, reason } = outcome;
    reasons.set(code, { code, reason, pairs: (reasons.get(code)?.pairs ?? 0) + 1 });
  }
  const left = planned - preferences.length;
  if (left > 0) {
    reasons.set('not-asked', { code: 'not-asked', pairs: left, reason: 'there is no judgement yet' });
  }
  return [...reasons.values()].toSorted((one, other) => other.pairs - one.pairs);
}

/**
 * Counts the preferences for a position. Asked in both orders, only contradictions say something about the position: a
 * better answer is preferred at both. Asked once in a random order, all preferences do.
 */
function positionOf(preferences: readonly AnswerPreference[]): TargetPreference['position'] {
  const decided = preferences.flatMap(({ outcome }) => (outcome.status === 'decided' ? [outcome] : []));
  const swapped = decided.filter(({ positions }) => positions.length > 1);
  const telling = decided.filter(({ positions, isConsistent }) => positions.length === 1 || !isConsistent);
  const leaning = telling.map(({ positions }) => leanOf(positions));
  const toFirst = leaning.filter((lean) => lean > 0).length;
  const toSecond = leaning.filter((lean) => lean < 0).length;
  return {
    swapped: swapped.length,
    consistent: swapped.filter(({ isConsistent }) => isConsistent).length,
    toFirst,
    toSecond,
    pValue: toFirst + toSecond === 0 ? null : mcnemar({ aOnly: toFirst, bOnly: toSecond }).exactPValue,
  };
}

/** Returns the preferences for the first position minus those for the second. */
function leanOf(positions: readonly ('first' | 'second' | 'tie')[]): number {
  const count = (wanted: 'first' | 'second') => positions.filter((position) => position === wanted).length;
  return count('first') - count('second');
}

const values = { win: 1, tie: 0.5, loss: 0 } as const;

function controlLength(measured: readonly AnswerPreference[]): TargetPreference['lengthControlled'] {
  const sized = measured.filter(({ lengths }) => lengths.a !== null && lengths.b !== null);
  const found = lengthControlledWinRate({
    preferences: sized.map((preference) => values[outcomeOf(preference)]),
    lengthDifferences: sized.map(({ lengths }) => (lengths.a as number) - (lengths.b as number)),
    clusters: sized.map(clusterOf),
  });
  const { estimate: value, lower, upper, caution } = found;
  return {
    value,
    lower,
    upper,
    ...(found.status === 'undefined' && { reason: found.reason }),
    ...(caution !== null && { caution }),
  };
}

/** The prior that is used only where the verdicts alone give no finite strengths. */
const prior = 0.5;

/** The Elo points of a strength of 1. */
const eloPoints = 400 / Math.LN10;

/** Returns the lead of the first target over another one, on the Elo scale. */
function behindFirst(
  target: string,
  { targets, differences }: Pick<PreferenceRanking, 'targets' | 'differences'>,
): { behind?: { value: number; lower: number | null; upper: number | null } } {
  const first = targets?.[0]?.target;
  const found = differences?.find(
    ({ a, b }) => (a === first && b === target) || (a === target && b === first),
  );
  if (found === undefined || target === first) return {};
  const sign = found.a === first ? 1 : -1;
  const points = (strength: number | null): number | null =>
    strength === null ? null : sign * eloPoints * strength;
  const [lower, upper] = sign === 1 ? [found.lower, found.upper] : [found.upper, found.lower];
  return { behind: { value: sign * eloPoints * found.estimate, lower: points(lower), upper: points(upper) } };
}

/** Ranks more than two targets by the verdicts on their answers. */
export function rankTargets(
  preferences: readonly AnswerPreference[],
  seed: string | number,
): NonNullable<PreferenceReport['ranking']> {
  const rows = preferences.filter(isMeasured).map((preference) => {
    const outcome = outcomeOf(preference);
    const { a, b } = preference;
    const counts = { aWins: outcome === 'win' ? 1 : 0, bWins: outcome === 'loss' ? 1 : 0 };
    return { a, b, ...counts, ties: outcome === 'tie' ? 1 : 0, prompt: clusterOf(preference) };
  });
  const alone = rankByPreference({ preferences: rows, seed });
  const ranking =
    alone.status === 'undefined' && rows.length > 0
      ? rankByPreference({ preferences: rows, seed, prior })
      : alone;
  const { resamples, caution } = ranking;
  return {
    targets: (ranking.targets ?? []).map(({ target, rank, lastRank, elo }) => ({
      name: target,
      rank,
      lastRank,
      elo,
      ...behindFirst(target, ranking),
    })),
    prior: ranking.prior,
    resamples,
    caution,
    ...(ranking.status === 'undefined' && { reason: ranking.reason }),
  };
}
