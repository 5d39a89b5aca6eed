import { checkDomain } from '../check-domain.ts';
import { defaultConfidence } from '../interval.ts';
import { normalCdf, normalQuantile } from '../normal.ts';
import { studentTCdf, studentTQuantile } from '../student-t.ts';
import { differenceInterval } from './difference-interval.ts';
import type { ClusteredPairs } from './difference-interval.ts';
import { countPairs } from './paired-counts.ts';
import type { PairedCounts } from './paired-counts.ts';
import { tangoLimits, tangoScore } from './tango-score.ts';

/**
 * What a candidate (A) and a baseline (B) made of the same questions, as scores or as counts of pass and fail, and
 * the difference that would not matter.
 */
export type MarginOptions = (
  | (ClusteredPairs & { readonly counts?: never })
  | { readonly counts: PairedCounts; readonly confidence?: number }
) & {
  /** In the unit of the scores, or as a share (0.05 = 5 points); at least 0 and fixed before the data were seen. */
  readonly margin: number;
};

/** The verdict of a rule with a margin. */
export type MarginVerdict = 'pass' | 'fail' | 'inconclusive';

/** What every rule with a margin states about itself. */
export type MarginBasis = {
  /** Questions. */
  readonly n: number;
  /** Distinct clusters, where given. */
  readonly clusters?: number;
  readonly margin: number;
  /** Confidence of each of the two bounds by itself. */
  readonly confidence: number;
  /** `tango` for counts, else the t interval that the bounds come from. */
  readonly method: 'tango' | 't' | 'cluster-robust-t';
};

/** The mean difference A − B with two one-sided bounds, and how to test any supposed difference. */
export type MarginEvidence =
  | {
      readonly basis: MarginBasis;
      readonly estimate: number;
      readonly lower: number;
      readonly upper: number;
      /** How many standard errors the estimate lies above a supposed difference. */
      readonly statisticAgainst: (supposed: number) => number;
      /** Chance of a statistic as low as this one. */
      readonly chanceBelow: (statistic: number) => number;
    }
  | { readonly basis: MarginBasis; readonly estimate: number | null; readonly reason: string };

/**
 * One-sided evidence about a mean difference: Student's t for scores (cluster-robust with clusters), Tango's score
 * for counts.
 *
 * @throws RangeError when lists differ in length, a value is not finite, a count is not a whole number of at least
 * 0, the margin is negative or not finite (for counts: not below 1), or the confidence is below 0.5 or not below 1.
 */
export function marginEvidence(options: MarginOptions): MarginEvidence {
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
    ...(clusters === undefined ? {} : { clusters }),
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
