import { collectWeighted } from '../../../core/stats/means/weighted-values.ts';
import { momentsOf, varianceOf } from '../../../core/stats/moments.ts';
import { nonInferiority } from '../../../core/stats/paired/equivalence.ts';
import { pairsWithUnseen } from '../../../core/stats/planning/margin-size.ts';
import { nonInferioritySampleSize } from '../../../core/stats/planning/sample-size.ts';
import { type Finding, notMeasured } from '../gate-rule.ts';
import {
  describeSubject,
  formatConfidence,
  formatCount,
  formatDifference,
  type Subject,
} from '../phrases.ts';
import { describeLeast, eachClusterOnce } from './clusters-once.ts';
import { type Bounds, boundsOfShares } from './evaluate-mean.ts';

/** The margin for differences, with the names for messages. */
interface DifferenceRule extends MarginLevel {
  readonly subject: Subject;
  readonly unit: string | undefined;
  /** The name of the baseline. */
  readonly name: string;
}

/**
 * Evaluates paired differences: passes when the one-sided lower bound of now minus before lies above −margin, fails
 * when the upper one lies below it. See non-inferiority tests (Piaggio et al., JAMA 308 (2012)).
 */
export function evaluateDifference(pairs: PairedCases, rule: DifferenceRule): Finding {
  const { margin, confidence, unit } = rule;
  const all = [...pairs.now, ...pairs.before];
  if (!all.every(Number.isFinite)) return notMeasured('the missing values could be anything');
  const n = pairs.now.length;
  const value = meanDifference(pairs);
  const level = `one-sided ${formatConfidence(confidence)}`;
  const lost = formatDifference(margin, unit).replace('+', '');
  const base = { value, threshold: -margin, n, confidence };
  const weighted = pairs.weights === undefined ? 'mean' : 'weighted mean';
  const changed = `${formatCount(n, pairs.noun ?? 'pair')}: ${weighted} difference ${formatDifference(value, unit)}`;
  const bounds = boundsOfDifference(pairs, rule, unit === undefined);
  if ('reason' in bounds) {
    const reason = `there is no ${level} bound: ${bounds.reason}`;
    return { ...base, outcome: 'inconclusive', reason, arithmetic: changed };
  }
  const { lower, upper, method } = bounds;
  const ends = `${formatDifference(lower, unit)} and ${formatDifference(upper, unit)}`;
  const arithmetic = `${changed}; ${level} bounds ${ends} (${method}); margin ${lost}`;
  const known = { ...base, lower, upper, arithmetic };
  const concluded = concludeDifference(known, rule);
  if (concluded.outcome === 'pass')
    return { ...concluded, reason: `${concluded.reason}, for questions of this kind` };
  if (concluded.outcome === 'fail') return concluded;
  const needed = casesToShow(pairs, rule, unit === undefined);
  const least =
    unit === undefined ? describeLeast({ ...pairs, values: pairs.now }, { share: margin, confidence }) : '';
  const about = `; about ${needed} ${pairs.noun ?? 'question'}s would show it`;
  const hint = needed === undefined || needed <= n ? least : least === '' ? about : least;
  return { ...concluded, reason: `${concluded.reason}${hint}` };
}

/** Decides by the bounds of a difference; a note says how they were corrected. */
export function concludeDifference(
  known: Omit<Finding, 'outcome' | 'reason'> & { readonly lower: number; readonly upper: number },
  { margin, confidence, subject, unit, name }: DifferenceRule,
  note = '',
): Finding {
  const { lower, upper } = known;
  const what = describeSubject(subject);
  const lost = formatDifference(margin, unit).replace('+', '');
  const sure = `with ${formatConfidence(confidence)} confidence${note}`;
  if (lower > -margin)
    return {
      ...known,
      outcome: 'pass',
      reason: `${what} is not worse than ${name} by ${lost} or more, ${sure}`,
    };
  if (upper < -margin)
    return {
      ...known,
      outcome: 'fail',
      reason: `${what} is worse than ${name} by more than ${lost}, ${sure}`,
    };
  const range = `could have changed by ${formatDifference(lower, unit)} to ${formatDifference(upper, unit)}`;
  const reason = `${what} ${range} since ${name}${note}: a loss of ${lost} is neither shown nor ruled out`;
  return { ...known, outcome: 'inconclusive', reason };
}

/** The values of paired cases, oriented so that higher is better. */
export interface PairedCases {
  readonly now: readonly number[];
  readonly before: readonly number[];
  /** The clusters at the same positions; undefined when the cases are independent. */
  readonly clusters: readonly string[] | undefined;
  /** The weights of the cases in the run; undefined when all weigh the same. */
  readonly weights?: readonly number[];
  /** Present when the pairs are means of clusters. */
  readonly noun?: 'cluster';
}

/** Returns the mean of each cluster as a pair, so that each counts once; undefined when no two cases share one. */
export function clusterPairs({ now, before, clusters, weights }: PairedCases): PairedCases | undefined {
  const [after, earlier] = [now, before].map((values) => eachClusterOnce({ values, clusters, weights }));
  if (after === undefined || earlier === undefined) return undefined;
  return { now: after.values, before: earlier.values, clusters: undefined, noun: 'cluster' };
}

/** The acceptable loss, and the confidence of its test. */
export interface MarginLevel {
  readonly margin: number;
  /** The confidence of each one-sided bound. */
  readonly confidence: number;
}

/**
 * Computes one-sided bounds of the mean difference, now minus before. Differences of shares lie in [−1, 1], see
 * `boundsOfShares`; bounds of quantities use Student's t, cluster-robust when cases share clusters.
 */
function boundsOfDifference(
  { now, before, clusters, weights }: PairedCases,
  { margin, confidence }: MarginLevel,
  isShare: boolean,
): Bounds {
  const differences = differencesOf(now, before);
  if (isShare) return boundsOfShares({ values: differences, clusters, weights }, [-1, 1], confidence);
  const tested = nonInferiority({
    differences,
    clusters,
    weights,
    margin,
    confidence,
  });
  return tested.status === 'defined' ? tested : { reason: tested.reason };
}

/**
 * Returns the number of cases needed to show the margin with a power of 80 %, if nothing changed and differences vary
 * as in these pairs; undefined when it cannot be computed.
 */
function casesToShow(
  { now, before, clusters, weights }: PairedCases,
  { margin, confidence }: MarginLevel,
  isShare: boolean,
): number | undefined {
  const standardDeviation = Math.sqrt(varianceOf(momentsOf(differencesOf(now, before))));
  if (clusters !== undefined || weights !== undefined || margin === 0 || !(standardDeviation > 0))
    return undefined;
  const planned = nonInferioritySampleSize({ standardDeviation, margin, confidence }).n;
  if (!isShare || margin >= 1) return planned;
  return pairsWithUnseen(planned, { margin, confidence });
}

/** Returns the mean of now minus before, weighted where the cases have different weights. */
function meanDifference({ now, before, weights }: PairedCases): number {
  const weighted =
    weights &&
    collectWeighted({ values: differencesOf(now, before), weights })
      .current()
      ?.moments();
  return weighted?.mean ?? momentsOf(now).mean - momentsOf(before).mean;
}

function differencesOf(now: readonly number[], before: readonly number[]): number[] {
  return now.map((value, place) => value - (before[place] ?? Number.NaN));
}
