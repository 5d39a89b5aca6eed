import type { Estimate } from '../../schema/estimate.ts';

/** What stands in a table where a number is missing. */
export const missing = '–';

/** From here on, all digits of a number say less than its size does. */
export const largestSize = 1e15;

/** A number of too many digits by its size: `1.0e+308`; with its unit if it has one. */
export function formatHuge(value: number, unit = ''): string {
  return `${value.toExponential(1)} ${unit}`.trimEnd();
}

/** A count with thousands separators: `12,345`. */
export function formatCount(count: number): string {
  if (!Number.isFinite(count)) return missing;
  return Math.abs(count) >= largestSize ? formatHuge(count) : groupDigits(count.toFixed(0));
}

/** Plain digits with thousands separators: `1,234.5`. The formats of `Intl` would take 15 ms to load, in every process. */
export function groupDigits(digits: string): string {
  const [whole = '', ...decimals] = digits.split('.');
  return [whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ','), ...decimals].join('.');
}

/** A count with its noun: `1 error`, `2 errors`. The plural is the noun with an `s` unless given. */
export function formatPlural(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/**
 * A share as per cent points with one decimal: `84.0`. Only exactly 1 is `100.0` and only exactly 0 is `0.0`, so that
 * rounding hides no failure.
 */
export function formatPoints(share: number | null | undefined): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return missing;
  const points = (share * 100).toFixed(1);
  if (points === '100.0' && share < 1 - 1e-9) return '99.9';
  if (points === '0.0' && share > 1e-9) return '0.1';
  return points === '-0.0' ? '0.0' : points;
}

/** A share in per cent with one decimal: `84.0 %`. */
export function formatPercent(share: number | null | undefined): string {
  const points = formatPoints(share);
  return points === missing ? missing : `${points} %`;
}

/** A weight in per cent, with decimals only where it has some: `40 %`, `12.5 %`. */
export function formatWeight(weight: number): string {
  return Number.isFinite(weight) ? `${Number((weight * 100).toFixed(1))} %` : missing;
}

/** The interval of an estimate of a share, in per cent points: `[73.1, 91.2]`; empty when there is none. */
export function formatInterval(estimate: Estimate): string {
  if (!hasInterval(estimate)) return '';
  return `[${formatPoints(estimate.lower)}, ${formatPoints(estimate.upper)}]`;
}

/** Whether an estimate comes with both ends of an interval. */
export function hasInterval(estimate: Estimate): estimate is Estimate & { lower: number; upper: number } {
  return Number.isFinite(estimate.lower) && Number.isFinite(estimate.upper);
}

/** The confidence of an interval in per cent: `95 %`. */
export function formatConfidence(estimate: Estimate): string {
  return `${Number((estimate.confidence * 100).toFixed(1))} %`;
}
