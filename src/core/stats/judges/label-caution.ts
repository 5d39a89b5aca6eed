/**
 * The reason why the limits of a corrected rate are not to be trusted as much as their confidence says, or null:
 *
 * - `too-few-labels`: the labels are worth fewer than 5 passes or 5 fails, the interval is wider than ±25 points, a
 *   stratum has fewer than 30 labels, or the judge may say nothing about the truth. Coverage can be anything.
 * - `few-disagreements`: fewer than 5 labels differ from the judge, or from the other labels of a stratum. The limits
 *   hold but are wider than they need be, since more errors of the judge can hide among so few.
 *
 * The rules follow from counts and limits alone; `bench/label-coverage.ts` measures the coverage with and without them.
 */
export type LabelCaution = 'too-few-labels' | 'few-disagreements' | null;

/** The least number of passes, and of fails, that labels have to be worth. */
const leastOfEach = 5;
/** The largest width of an interval that says something about a share. */
const widest = 0.5;
/** The least number of labels of a stratum that is not labelled completely. */
export const leastInStratum = 30;
/** The least number of labels that differ from the judge. */
const leastDisagreements = 5;

/** The evidence behind a corrected rate. */
export type LabelEvidence = {
  readonly estimate: number;
  readonly lower: number;
  readonly upper: number;
  /** The number of independent labels without a judge that would give the same variance. */
  readonly effectiveLabels: number;
  /** The number of labels that differ from the judge; absent when labels are not compared with a judge. */
  readonly disagreements?: number;
  /** True when a further rule of the method finds too few labels. */
  readonly isShort?: boolean;
};

/** Returns what to know before trusting the limits of a corrected rate. */
export function labelCautionOf(evidence: LabelEvidence): LabelCaution {
  const { estimate, lower, upper, effectiveLabels, disagreements, isShort = false } = evidence;
  const fewest = effectiveLabels * Math.min(estimate, 1 - estimate);
  if (isShort || fewest < leastOfEach || upper - lower > widest) return 'too-few-labels';
  if (disagreements !== undefined && disagreements < leastDisagreements) return 'few-disagreements';
  return null;
}
