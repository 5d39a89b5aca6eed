import { type Estimate, hasFewClusters, isTooFew } from '../schema/estimate.ts';
import { formatCount, formatInterval, hasInterval } from './format/format-number.ts';

/** What is said in place of an interval that would say nothing. */
const tooFew = 'too few to say';

/**
 * The interval of a share with what there is to beware of: `[73.1, 91.2]`, `[20.0, 80.0] too few to say`; in words where
 * there is none. Empty where nothing was measured.
 */
export function doubtedInterval(estimate: Estimate): string {
  const { n } = estimate;
  if (n === 0) return '';
  if (isTooFew({ n, lower: null, upper: null })) return tooFew;
  if (!hasInterval(estimate)) return 'no interval';
  const interval = formatInterval(estimate);
  if (isTooFew(estimate)) return `${interval} ${tooFew}`;
  return hasFewClusters(estimate) ? `${interval} few clusters` : interval;
}

/** What there is to beware of in a word or two: `too few to say`, `few clusters`; empty when there is nothing. */
export function cautionOf(estimate: Estimate, unit?: string): string {
  if (estimate.n === 0) return '';
  return [
    ...(isTooFew(estimate, unit) ? [tooFew] : []),
    ...(hasFewClusters(estimate) ? ['few clusters'] : []),
  ].join(', ');
}

/** Whether an interval is fit to be drawn: not one that says nothing. */
export function isTelling(estimate: Estimate): boolean {
  return hasInterval(estimate) && !isTooFew(estimate);
}

/** What shared clusters mean for the intervals, in sentences; none without them. */
export function clusterSentences(estimate: Estimate): string[] {
  const { n, clusters, effectiveClusters = clusters } = estimate;
  if (clusters === undefined || effectiveClusters === undefined || clusters === 1) return [];
  const counted = `The ${formatCount(n)} questions fall into ${formatCount(clusters)} clusters`;
  const isUneven = effectiveClusters < 0.95 * clusters;
  const worth = isUneven ? `, which say as much as ${formatClusters(effectiveClusters)} of one size` : '';
  const first = `${counted}${worth}: the intervals allow for that.`;
  if (!hasFewClusters(estimate)) return [first];
  return [first, 'So few, or such unequal, clusters leave even that unsure: intervals may be too narrow.'];
}

function formatClusters(count: number): string {
  return count >= 10 ? formatCount(count) : String(Number(count.toFixed(1)));
}
