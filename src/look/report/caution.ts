import { type Estimate, hasFewClusters, isTooFew } from '../../core/schema/estimate.ts';
import { formatInterval, hasInterval } from './format.ts';

/** The text in place of an interval that would not be informative. */
const tooFew = 'too few to say';

/**
 * Formats the interval of a share with its caution: `[73.1, 91.2]`, `[20.0, 80.0] too few to say`; or a text when
 * there is no interval. Empty when nothing was measured.
 */
export function formatCautiousInterval(estimate: Estimate): string {
  const { n } = estimate;
  if (n === 0) return '';
  if (isTooFew({ n, lower: null, upper: null })) return tooFew;
  if (!hasInterval(estimate)) return 'no interval';
  const interval = formatInterval(estimate);
  if (isTooFew(estimate)) return `${interval} ${tooFew}`;
  return hasFewClusters(estimate) ? `${interval} few clusters` : interval;
}

/**
 * Describes the caution of an estimate in a word or two: `too few to say`, `few clusters`; empty when there is none.
 */
export function cautionOf(estimate: Estimate, unit?: string): string {
  if (estimate.n === 0) return '';
  return [
    ...(isTooFew(estimate, unit) ? [tooFew] : []),
    ...(hasFewClusters(estimate) ? ['few clusters'] : []),
  ].join(', ');
}

/** Returns whether an interval is informative enough to be drawn. */
export function isInformative(estimate: Estimate): boolean {
  return hasInterval(estimate) && !isTooFew(estimate);
}
