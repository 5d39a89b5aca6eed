import { defaultConfidence, type Interval } from '../interval.ts';
import { wilsonInterval } from '../proportion-interval.ts';
import { type LabelCaution, labelCautionOf } from './label-caution.ts';

/** A pass rate from the labels of people without a judge, with a caution. */
export type PeopleAlone = Interval & { readonly caution: LabelCaution };

/**
 * Returns the pass rate of randomly drawn, labelled items without the help of a judge: what a corrected rate has to
 * improve on.
 *
 * Method: Wilson's interval, with the caution of {@link LabelCaution}: near 0 and 1 it covers 92 % in places.
 *
 * @throws RangeError unless 0 ≤ passes ≤ labels and the confidence is strictly between 0 and 1.
 */
export function peopleAlone(options: {
  readonly passes: number;
  readonly labels: number;
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
}): PeopleAlone {
  const { passes, labels, confidence = defaultConfidence } = options;
  const interval = wilsonInterval({ successes: passes, trials: labels, confidence });
  if (interval.status === 'undefined') return { ...interval, caution: 'too-few-labels' };
  return { ...interval, caution: labelCautionOf({ ...interval, effectiveLabels: labels }) };
}

/**
 * Returns how many times as many labels people would need without the judge: (half-width of people alone / half-width of
 * the corrected rate)². A value near 1 says that the judge saves no labels.
 *
 * Method: half-widths shrink with the square root of the number of labels. Null unless both intervals have limits and a
 * width.
 */
export function worthOfJudge({
  alone,
  corrected,
}: {
  readonly alone: Interval;
  readonly corrected: Interval;
}): number | null {
  if (alone.status === 'undefined' || corrected.status === 'undefined') return null;
  const width = corrected.upper - corrected.lower;
  return width > 0 ? ((alone.upper - alone.lower) / width) ** 2 : null;
}
