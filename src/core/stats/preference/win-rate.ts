import { checkConfidence, checkDomain } from '../check-domain.ts';
import type { Label } from '../cluster-interval.ts';
import { defaultConfidence, type Interval } from '../interval.ts';
import { createClusteredMoments } from '../means/clustered-moments.ts';
import { shareOfClusters } from '../means/mean-of-clusters.ts';
import { varianceOf } from '../moments.ts';
import { tangoInterval } from '../paired/tango-interval.ts';

/** A verdict on two answers, seen from one of them. */
export type PreferenceOutcome = 'win' | 'tie' | 'loss';

/** Options of {@link winRate}. */
export type WinRateOptions = {
  readonly outcomes: readonly PreferenceOutcome[];
  /** The prompt that each outcome belongs to, at the same positions, when a prompt has several. */
  readonly clusters?: readonly Label[];
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

/** A win rate from 0 to 1, with a tie as half a win. */
export type WinRate = Interval & {
  readonly wins: number;
  readonly ties: number;
  readonly losses: number;
  /** The standard error of the rate; null for fewer than two independent outcomes. */
  readonly standardError: number | null;
};

const values = { win: 1, tie: 0.5, loss: 0 } as const;

/**
 * Returns the share of wins, with a tie as half a win, and its interval. The limits lie within [0, 1] and have a width
 * even when all outcomes are alike. Ties make the rate more certain: the standard error is computed from the values 1, ½ and
 * 0, and not the larger one of a proportion.
 *
 * Method: (W + T/2) / N. Independent outcomes: W and L are the discordant pairs of T. Tango's score interval, Statistics
 * in Medicine 17 (1998), for (W − L) / N, of which the rate is (1 + d) / 2. Several outcomes of one prompt:
 * cluster-robust (CR2), with Wilson's interval for the number of independent outcomes of the same uncertainty.
 *
 * @throws RangeError when there are not as many clusters as outcomes, or the confidence is not strictly between 0 and 1.
 */
export function winRate({ outcomes, clusters, confidence = defaultConfidence }: WinRateOptions): WinRate {
  checkConfidence(confidence);
  const n = outcomes.length;
  if (clusters !== undefined) {
    checkDomain(clusters.length === n, 'clusters.length', clusters.length, `${n}`);
  }
  const count = (wanted: PreferenceOutcome) => outcomes.filter((outcome) => outcome === wanted).length;
  const counts = { wins: count('win'), ties: count('tie'), losses: count('loss') };
  const moments = collect(outcomes, clusters);
  const { spread } = moments;
  const variance = spread?.unbiasedVariance ?? varianceOf(moments) / n;
  const standardError = Number.isFinite(variance) ? Math.sqrt(variance) : null;
  if (spread !== undefined) {
    return { ...shareOfClusters(moments, confidence), ...counts, standardError };
  }
  return { ...scoreInterval({ ...counts, confidence }), ...counts, standardError };
}

function collect(outcomes: readonly PreferenceOutcome[], clusters: readonly Label[] | undefined) {
  const moments = createClusteredMoments();
  const numbers = new Map<Label, number>();
  for (const [place, outcome] of outcomes.entries()) {
    const label = clusters?.[place];
    if (label !== undefined && !numbers.has(label)) numbers.set(label, numbers.size);
    moments.add(values[outcome], label === undefined ? undefined : numbers.get(label));
  }
  return moments.current();
}

type Counts = Readonly<Record<'wins' | 'ties' | 'losses' | 'confidence', number>>;

function scoreInterval({ wins, ties, losses, confidence }: Counts): Interval {
  const difference = tangoInterval({ both: ties, aOnly: wins, bOnly: losses, neither: 0, confidence });
  if (difference.status === 'undefined') return { ...difference, reason: 'no verdicts' };
  const { estimate, lower, upper } = difference;
  return {
    ...difference,
    estimate: (1 + estimate) / 2,
    lower: Math.max(0, (1 + lower) / 2),
    upper: Math.min(1, (1 + upper) / 2),
  };
}
