import type { Estimate } from '../../schema/estimate.ts';
import type { Percentiles } from '../../schema/usage-summary.ts';
import { formatDuration } from './format-duration.ts';
import { formatMoney } from './format-money.ts';
import { formatCount, formatInterval, formatPercent, hasInterval, missing } from './format-number.ts';

/** Which part of the values lies below a percentile. */
export type PercentileName = 'p50' | 'p90' | 'p99';

/** The value of a metric as people read it: a share in per cent, or a measured quantity in its unit. */
export function formatQuantity(value: number | null | undefined, unit: string | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return missing;
  if (unit === undefined) return formatPercent(value);
  if (unit === 'ms') return formatDuration(value);
  if (unit === 'USD') return formatMoney(value);
  return `${Math.abs(value) >= 100 ? formatCount(value) : threeDigits(value)} ${unit}`;
}

/** A number of less than a hundred, to three significant digits and without an exponent. */
function threeDigits(value: number): string {
  const rounded = Number(value.toPrecision(3));
  const magnitude = Math.floor(Math.log10(Math.abs(rounded)));
  return magnitude < -6
    ? rounded.toFixed(Math.min(100, 2 - magnitude)).replace(/\.?0+$/, '')
    : String(rounded);
}

/** A percentile beside a mean that names the unit: only times and amounts, which change theirs, say it again. */
export function formatPercentile(value: number, unit: string | undefined): string {
  const text = formatQuantity(value, unit);
  return unit === 'ms' ? text : text.replace(` ${unit}`, '');
}

/** The limits of a percentile, in its unit; empty where there are none. */
export function formatPercentileLimits(
  { intervals }: Percentiles,
  name: PercentileName,
  unit: string | undefined,
): string {
  const limits = intervals?.[name];
  return limits === undefined ? '' : formatLimits(limits, unit);
}

/** A percentile with its limits; empty where there is none. */
export function formatPercentileWithLimits(
  percentiles: Percentiles | undefined,
  name: PercentileName,
  unit: string | undefined,
): string {
  if (percentiles === undefined) return missing;
  const limits = formatPercentileLimits(percentiles, name, unit);
  return `${formatQuantity(percentiles[name], unit)} ${limits}`.trim();
}

/** The interval around the mean of a metric, in its unit; empty when there is none. */
export function formatQuantityInterval(estimate: Estimate, unit: string | undefined): string {
  if (unit === undefined) return formatInterval(estimate);
  if (!hasInterval(estimate)) return '';
  return formatLimits(estimate, unit);
}

function formatLimits(limits: { readonly lower: number; readonly upper: number }, unit: string | undefined) {
  // A t interval can reach below 0, a time or a price cannot.
  const least = unit === 'ms' || unit === 'USD' ? Math.max(0, limits.lower) : limits.lower;
  const [lower, upper] = [formatQuantity(least, unit), formatQuantity(limits.upper, unit)];
  return `[${sharesUnit(lower, upper) ? lower.slice(0, lower.lastIndexOf(' ')) : lower}, ${upper}]`;
}

function unitOf(text: string): string {
  return text.slice(text.lastIndexOf(' ') + 1);
}

function sharesUnit(lower: string, upper: string): boolean {
  return lower.split(' ').length === 2 && upper.split(' ').length === 2 && unitOf(lower) === unitOf(upper);
}
