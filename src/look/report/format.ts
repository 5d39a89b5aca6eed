import { formatPoints as pointsOf } from '../../core/lib/text/format-points.ts';
import type { Estimate } from '../../core/schema/estimate.ts';
import { formatIn, isNeverNegative } from '../../core/schema/metric.ts';
import type { GitState } from '../../core/schema/git-state.ts';
import type { TrialOutcome } from '../../core/schema/result.ts';
import type { Trial } from '../../core/schema/trial.ts';
import type { Percentiles } from '../../core/schema/usage.ts';

/** The sign for a missing number in a table. */
export const missing = '–';

/** The size from which on the digits of a number are less informative than its magnitude. */
const largestSize = 1e15;

/** Formats a number with too many digits by its magnitude: `1.0e+308`, with its unit if it has one. */
function formatHuge(value: number, unit = ''): string {
  return `${value.toExponential(1)} ${unit}`.trimEnd();
}

/** Formats a count with thousands separators: `12,345`. */
export function formatCount(count: number): string {
  if (!Number.isFinite(count)) return missing;
  return Math.abs(count) >= largestSize ? formatHuge(count) : groupDigits(count.toFixed(0));
}

/** Formats an effective number of cases or clusters, which need not be whole: `2.5`, `98`. */
export function formatEffective(count: number): string {
  return count >= 10 ? formatCount(count) : String(Number(count.toFixed(1)));
}

/**
 * Groups digits with thousands separators: `1,234.5`. The formats of `Intl` would take 15 ms to load in every
 * process.
 */
function groupDigits(digits: string): string {
  const [whole = '', ...decimals] = digits.split('.');
  return [whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ','), ...decimals].join('.');
}

/** Formats a count with its noun: `1 error`, `2 errors`. The default plural is the noun with an `s`. */
export function formatPlural(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/**
 * Formats a share in percentage points with one decimal: `84.0`. Only exactly 1 is `100.0` and only exactly 0 is
 * `0.0`, so rounding never hides a failure.
 */
export function formatPoints(share: number | null | undefined): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return missing;
  return pointsOf(share);
}

/** Formats a share in per cent with one decimal: `84.0 %`. */
export function formatPercent(share: number | null | undefined): string {
  const points = formatPoints(share);
  return points === missing ? missing : `${points} %`;
}

/** Formats a weight in per cent, with decimals only if needed: `40 %`, `12.5 %`. */
export function formatWeight(weight: number): string {
  return Number.isFinite(weight) ? `${Number((weight * 100).toFixed(1))} %` : missing;
}

/** Formats the interval of a share in percentage points: `[73.1, 91.2]`; empty when there is none. */
export function formatInterval(estimate: Estimate): string {
  if (!hasInterval(estimate)) return '';
  return `[${formatPoints(estimate.lower)}, ${formatPoints(estimate.upper)}]`;
}

/** Returns whether an estimate has both limits of an interval. */
export function hasInterval(estimate: Estimate): estimate is Estimate & { lower: number; upper: number } {
  return Number.isFinite(estimate.lower) && Number.isFinite(estimate.upper);
}

/** Formats the confidence of an interval in per cent: `95 %`. */
export function formatConfidence(estimate: Estimate): string {
  return `${Number((estimate.confidence * 100).toFixed(1))} %`;
}

/** Formats an amount in US dollars: `$1,234.50`; amounts under a dollar keep two significant digits: `$0.0012`. */
export function formatMoney(amount: number): string {
  if (!Number.isFinite(amount) || amount < 0) return missing;
  if (amount >= largestSize) return `$${formatHuge(amount)}`;
  if (amount === 0 || amount >= 0.995) return `$${groupDigits(amount.toFixed(2))}`;
  if (amount < 0.000_001) return '<$0.000001';
  const decimals = Math.min(6, Math.max(2, 1 - Math.floor(Math.log10(amount))));
  return `$${amount.toFixed(decimals).replace(/(\.\d\d+?)0+$/, '$1')}`;
}

/** Formats a duration: `0.4 ms`, `850 ms`, `1.24 s`, `1 min 15 s`, `2 h 5 min`. */
export function formatDuration(durationMs: number): string {
  if (!Number.isFinite(durationMs) || durationMs < 0) return missing;
  if (durationMs < 9.95) return `${Number(durationMs.toFixed(1))} ms`;
  if (durationMs < 999.5) return `${Math.round(durationMs)} ms`;
  if (durationMs < 9_995) return `${(durationMs / 1000).toFixed(2)} s`;
  if (durationMs < 59_950) return `${(durationMs / 1000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1000);
  if (seconds < 3600) return twoUnits(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  if (minutes >= largestSize) return formatHuge(minutes / 60, 'h');
  return twoUnits(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

/**
 * Describes how long an answer took, or why that is not known; nothing where there is nothing to say. An answer that was fetched by
 * asking for its status may have been there before.
 */
export function latencyFacts({ latency, batch }: Pick<Trial, 'latency' | 'batch'>): string[] {
  if (latency === undefined) return batch === undefined ? [] : ['answered in a batch'];
  const time = formatDuration(latency.totalMs);
  const { polled } = latency;
  return [polled === undefined ? time : `${time} (polled, up to ${formatDuration(polled)} too long)`];
}

function twoUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

/** Formats a number per second: `12/s`, or per minute where it is less than one: `40/min`. */
export function formatRate(rate: number): string {
  if (rate < 0.95) return `${(rate * 60).toFixed(rate * 60 < 9.95 ? 1 : 0)}/min`;
  return `${rate < 9.95 ? rate.toFixed(1) : formatCount(Math.round(rate))}/s`;
}

/** The name of a percentile. */
type PercentileName = 'p50' | 'p90' | 'p99';

/** Formats the value of a metric: a share in per cent, or a measured quantity in its unit. */
export function formatQuantity(value: number | null | undefined, unit: string | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return missing;
  if (unit === undefined) return formatPercent(value);
  const format = formatIn(unit);
  if (format === 'duration') return formatDuration(value);
  if (format === 'money') return formatMoney(value);
  return `${Math.abs(value) >= 100 ? formatCount(value) : threeDigits(value)} ${unit}`;
}

/** Formats a number below a hundred with three significant digits and without an exponent. */
function threeDigits(value: number): string {
  const rounded = Number(value.toPrecision(3));
  const magnitude = Math.floor(Math.log10(Math.abs(rounded)));
  return magnitude < -6
    ? rounded.toFixed(Math.min(100, 2 - magnitude)).replace(/\.?0+$/, '')
    : String(rounded);
}

/** Formats a percentile next to a mean that names the unit: only times and amounts, whose units vary, repeat it. */
export function formatPercentile(value: number, unit: string | undefined): string {
  const text = formatQuantity(value, unit);
  return unit !== undefined && formatIn(unit) === 'duration' ? text : text.replace(` ${unit}`, '');
}

/** Formats the limits of a percentile in its unit; empty when there are none. */
export function formatPercentileLimits(
  { intervals }: Percentiles,
  name: PercentileName,
  unit: string | undefined,
): string {
  const limits = intervals?.[name];
  return limits === undefined ? '' : formatLimits(limits, unit);
}

/** Formats a percentile with its limits, or the sign of a missing number. */
export function formatPercentileWithLimits(
  percentiles: Percentiles | undefined,
  name: PercentileName,
  unit: string | undefined,
): string {
  if (percentiles === undefined) return missing;
  const limits = formatPercentileLimits(percentiles, name, unit);
  return `${formatQuantity(percentiles[name], unit)} ${limits}`.trim();
}

/** Formats the interval of a metric's mean in its unit; empty when there is none. */
export function formatQuantityInterval(estimate: Estimate, unit: string | undefined): string {
  if (unit === undefined) return formatInterval(estimate);
  if (!hasInterval(estimate)) return '';
  return formatLimits(estimate, unit);
}

function formatLimits(limits: { readonly lower: number; readonly upper: number }, unit: string | undefined) {
  // A t interval can extend below 0; a time, a price or a count cannot.
  const least = unit !== undefined && isNeverNegative(unit) ? Math.max(0, limits.lower) : limits.lower;
  const [lower, upper] = [formatQuantity(least, unit), formatQuantity(limits.upper, unit)];
  return `[${sharesUnit(lower, upper) ? lower.slice(0, lower.lastIndexOf(' ')) : lower}, ${upper}]`;
}

function unitOf(text: string): string {
  return text.slice(text.lastIndexOf(' ') + 1);
}

function sharesUnit(lower: string, upper: string): boolean {
  return lower.split(' ').length === 2 && upper.split(' ').length === 2 && unitOf(lower) === unitOf(upper);
}

/** Formats a moment to the minute in UTC: `2026-02-11 09:30 UTC`. */
export function formatTime(time: string): string {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? time : `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Formats the day of an ISO 8601 time: `2026-02-01`, in UTC. */
export function formatDay(time: string): string {
  return formatTime(time).slice(0, 10);
}

/** Returns the short id of a commit. */
export function shortCommit({ commit }: Pick<GitState, 'commit'>): string {
  return commit.slice(0, 7);
}

/** Describes the git state of a run: `commit a1b2c3d of main, with changes`. The branch is text from outside. */
export function formatGit(git: GitState): string {
  const branch = git.branch === null ? '' : ` of ${git.branch}`;
  return `commit ${shortCommit(git)}${branch}${git.dirty === true ? ', with changes' : ''}`;
}

/** The sign of each outcome. */
export const outcomeSigns = {
  passed: '✓',
  failed: '✗',
  error: '!',
  'not-measured': '?',
  unscored: '·',
} as const satisfies Record<TrialOutcome, string>;
