import { checkDomain } from '../check-domain.ts';
import { defaultConfidence } from '../interval.ts';
import { normalCdf, normalQuantile } from '../normal.ts';
import { studentTCdf, studentTQuantile } from '../student-t.ts';
import { type ClusteredPairs, differenceInterval } from './differences.ts';
import { countPairs, type PairedCounts } from './mcnemar.ts';
import { tangoLimits, tangoScore } from './tango-interval.ts';

/**
 * Decides whether two bots differ by less than a margin, in either direction: a pass needs both bounds inside it. At 95 % confidence the bounds are those
 * of the two-sided 90 % interval.
 *
 * Method: two one-sided tests, D. J. Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15 (1987), from
 * Student's t for scores and from T. Tango, Statistics in Medicine 17 (1998), for counts.
 *
 * @throws RangeError when lists differ in length, a value is not finite, a count is not a whole number of at least 0,
 * the margin is negative or not finite (for counts: not below 1), or the confidence is below 0.5 or not below 1.
 */
export function equivalence(options: MarginOptions): MarginTest {
  const evidence = marginEvidence(options);
  if ('reason' in evidence) return undefinedTest(evidence);
  const { basis, estimate, lower, upper } = evidence;
  const { margin } = basis;
  const statistic = Math.min(evidence.statisticAgainst(-margin), -evidence.statisticAgainst(margin));
  const pValue = evidence.chanceBelow(-statistic);
  const verdict =
    lower > -margin && upper < margin ? 'pass' : lower > margin || upper < -margin ? 'fail' : 'inconclusive';
  return { ...basis, status: 'defined', verdict, estimate, lower, upper, statistic, pValue };
}

/**
 * The results of a candidate (A) and a baseline (B) on the same questions, as scores or as counts of pass and fail, and
 * the margin of a difference that does not matter.
 */
export type MarginOptions = (
  | (ClusteredPairs & { readonly counts?: never })
  | { readonly counts: PairedCounts; readonly confidence?: number }
) & {
  /**
   * The margin in the unit of the scores, or as a share (0.05 = 5 points); at least 0 and fixed before the data were
   * seen.
   */
  readonly margin: number;
};

/** The verdict of a rule with a margin. */
export type MarginVerdict = 'pass' | 'fail' | 'inconclusive';

/** The properties that every result of a rule with a margin states. */
export type MarginBasis = {
  /** The number of questions. */
  readonly n: number;
  /** The number of distinct clusters, when given. */
  readonly clusters?: number;
  readonly margin: number;
  /** The confidence of each of the two bounds by itself. */
  readonly confidence: number;
  /** `tango` for counts, otherwise the t interval of the bounds. */
  readonly method: 'tango' | 't' | 'weighted-t' | 'cluster-robust-t';
};

/** The verdict of a rule with a margin, with its evidence. */
export type MarginTest = MarginBasis &
  (
    | {
        readonly status: 'defined';
        /** `pass`: shown to keep the margin; `fail`: shown to exceed it; `inconclusive`: neither. */
        readonly verdict: MarginVerdict;
        /** The mean of A minus B. */
        readonly estimate: number;
        /** One-sided bounds, each at the confidence. */
        readonly lower: number;
        readonly upper: number;
        /** The distance of the estimate from the end of the margin in standard errors; of two ends, the smaller distance. */
        readonly statistic: number;
        /** The one-sided p-value of a difference beyond the margin; of two ends, the larger one. */
        readonly pValue: number;
      }
    | {
        readonly status: 'undefined';
        readonly verdict: null;
        readonly estimate: number | null;
        readonly lower: null;
        readonly upper: null;
        readonly statistic: null;
        readonly pValue: null;
        readonly reason: string;
      }
  );

function undefinedTest({ basis, estimate, reason }: MarginFault): MarginTest {
  const nothing = { verdict: null, lower: null, upper: null, statistic: null, pValue: null };
  return { ...basis, ...nothing, status: 'undefined', estimate, reason };
}

/** The mean difference A − B with two one-sided bounds, and the test of any hypothetical difference. */
type MarginEvidence =
  | {
      readonly basis: MarginBasis;
      readonly estimate: number;
      readonly lower: number;
      readonly upper: number;
      /** Returns the distance of the estimate above a hypothetical difference, in standard errors. */
      readonly statisticAgainst: (supposed: number) => number;
      /** Returns the chance of a statistic as low as this one. */
      readonly chanceBelow: (statistic: number) => number;
    }
  | MarginFault;

/** The reason why a mean difference has no evidence. */
interface MarginFault {
  readonly basis: MarginBasis;
  readonly estimate: number | null;
  readonly reason: string;
}

/**
 * Returns the one-sided evidence about a mean difference: Student's t for scores (cluster-robust with clusters),
 * Tango's score for counts.
 *
 * @throws RangeError when lists differ in length, a value is not finite, a count is not a whole number of at least 0,
 * the margin is negative or not finite (for counts: not below 1), or the confidence is below 0.5 or not below 1.
 */
function marginEvidence(options: MarginOptions): MarginEvidence {
  const { margin, confidence = defaultConfidence } = options;
  checkDomain(confidence >= 0.5 && confidence < 1, 'confidence', confidence, 'at least 0.5 and below 1');
  checkDomain(margin >= 0 && margin < Infinity, 'margin', margin, 'finite and at least 0');
  if (options.counts === undefined) return evidenceOfScores({ ...options, confidence });
  checkDomain(margin < 1, 'margin', margin, 'below 1, as pass rates are');
  return evidenceOfCounts({ counts: options.counts, margin, confidence });
}

function evidenceOfScores(pairs: ClusteredPairs & { margin: number; confidence: number }): MarginEvidence {
  const interval = differenceInterval(pairs);
  const { n, clusters, method, estimate } = interval;
  const basis = {
    n,
    margin: pairs.margin,
    confidence: pairs.confidence,
    method: method as MarginBasis['method'],
    clusters,
  };
  if (interval.status === 'undefined') return { basis, estimate, reason: interval.reason };
  const { standardError, degreesOfFreedom } = interval;
  const reach = standardError * studentTQuantile({ p: pairs.confidence, degreesOfFreedom });
  return {
    basis,
    estimate: interval.estimate,
    lower: interval.estimate - reach,
    upper: interval.estimate + reach,
    statisticAgainst: (supposed) => (interval.estimate - supposed) / standardError,
    chanceBelow: (t) => studentTCdf({ t, degreesOfFreedom }),
  };
}

type Counted = { readonly counts: PairedCounts; readonly margin: number; readonly confidence: number };

function evidenceOfCounts({ counts, margin, confidence }: Counted): MarginEvidence {
  const n = countPairs(counts);
  const basis = { n, margin, confidence, method: 'tango' } as const;
  if (n === 0) return { basis, estimate: null, reason: 'no pairs' };
  const discordance = { aOnly: counts.aOnly, bOnly: counts.bOnly, n };
  return {
    basis,
    estimate: (counts.aOnly - counts.bOnly) / n,
    ...tangoLimits(discordance, normalQuantile(confidence)),
    statisticAgainst: (supposed) => tangoScore(discordance, supposed),
    chanceBelow: normalCdf,
  };
}

/**
 * Decides whether a candidate (A) is not worse than a baseline (B) by more than a margin: a pass needs a lower bound above −margin. The difference is A minus B;
 * with a margin of 0, a pass shows that the candidate is better. Scores that all differ by the same amount show no
 * spread and leave the verdict undefined; counts always have one.
 *
 * Method: one-sided bound against −margin (Piaggio et al., JAMA 308 (2012)), from Student's t for scores and from T.
 * Tango, Statistics in Medicine 17 (1998), for counts.
 *
 * @throws RangeError when lists differ in length, a value is not finite, a count is not a whole number of at least 0,
 * the margin is negative or not finite (for counts: not below 1), or the confidence is below 0.5 or not below 1.
 */
export function nonInferiority(options: MarginOptions): MarginTest {
  const evidence = marginEvidence(options);
  if ('reason' in evidence) return undefinedTest(evidence);
  const { basis, estimate, lower, upper } = evidence;
  const statistic = evidence.statisticAgainst(-basis.margin);
  const pValue = evidence.chanceBelow(-statistic);
  const verdict = lower > -basis.margin ? 'pass' : upper < -basis.margin ? 'fail' : 'inconclusive';
  return { ...basis, status: 'defined', verdict, estimate, lower, upper, statistic, pValue };
}
