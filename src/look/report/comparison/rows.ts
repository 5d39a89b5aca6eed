import type { Estimate } from '../../../core/schema/estimate.ts';
import type {
  PairComparison,
  RankedRun,
  RunComparison,
  RunDifference,
} from '../../../core/schema/run-comparison.ts';
import { formatPoints, formatQuantity, hasInterval, missing } from '../format.ts';

/** The input of a comparison report. */
export interface ComparisonInput {
  readonly comparison: RunComparison;
  /** The folder of the store, as `--store` takes it; undefined when a command finds the store without it. */
  readonly storeFolder?: string;
  /** The files from which runs were read, by the id of the run; runs of the store are not included. */
  readonly files?: ReadonlyMap<string, string>;
}

/** Formats a mean for a row of a comparison, tokens without their unit. */
export function formatMean(value: number | null, unit: string | undefined): string {
  return formatQuantity(value, unit === 'tokens' ? '' : unit).trim();
}

/** Formats a difference with its sign: `+5.2` points of a share, `−120 ms` of a quantity. */
export function formatSigned(value: number | null, unit: string | undefined): string {
  if (value === null) return missing;
  const size = formatSize(Math.abs(value), unit);
  if (size.replaceAll(/[^1-9]/g, '') === '') return size;
  return value < 0 ? `−${size}` : `+${size}`;
}

/** Formats the size of a difference, in points for shares. */
export function formatSize(size: number, unit: string | undefined): string {
  return unit === undefined ? formatPoints(size) : formatMean(size, unit);
}

/** Formats the interval of a difference: `[−0.3, +10.8]`; empty when there is none. */
export function formatLimits(estimate: Estimate, unit: string | undefined): string {
  if (!hasInterval(estimate)) return '';
  return `[${formatSigned(estimate.lower, unit)}, ${formatSigned(estimate.upper, unit)}]`;
}

/** Formats a p-value: `0.031`, `< 0.001`, or the sign of a missing one. */
export function formatPValue(pValue: number | null): string {
  if (pValue === null) return missing;
  if (pValue < 0.001) return '< 0.001';
  if (pValue > 0.999) return '1';
  // A p-value that is not below the level is not rounded down to it.
  return pValue >= 0.05 && pValue < 0.0505 ? '0.051' : pValue.toFixed(pValue < 0.1 ? 3 : 2);
}

/** Formats a p-value for a sentence: `p = 0.031`. */
export function pValuePhrase(pValue: number | null): string {
  const text = formatPValue(pValue);
  return text.startsWith('<') ? `p ${text}` : `p = ${text}`;
}

/**
 * Formats the number of pairs on which B is better, worse and equal: `12 / 3 / 33`; for measures without a better
 * direction, higher, lower and equal.
 */
export function formatWins({ better, higher, lower, equal }: RunDifference): string {
  const [wins, losses] = better === 'lower' ? [lower, higher] : [higher, lower];
  return [wins, losses, equal].map(String).join(' / ');
}

/** Formats the possible ranks of a run: `1–2`, or `3` for a single one. */
export function formatPlaces({ rank, lastRank }: Pick<RankedRun, 'rank' | 'lastRank'>): string {
  return rank === lastRank ? String(rank) : `${rank}–${lastRank}`;
}

/** The explanation of the ranks. */
export const placesNote =
  'Places are ranges: a run comes behind all that are shown to be better, and before all that are shown to be worse (Holm over all pairs of runs).';

/** The rows of a report, with the number of rows not listed. */
interface PickedRows {
  readonly rows: readonly RunDifference[];
  readonly more: number;
}

const mostCategories = 20;

/**
 * Picks the rows that have values; of many categories, only those with the largest differences unless all are
 * requested.
 */
export function pickRows({ differences }: PairComparison, isAll: boolean): PickedRows {
  const measured = differences.filter(({ difference }) => difference.n > 0);
  const categories = measured.filter(({ measure }) => measure === 'category');
  if (isAll || categories.length <= mostCategories) return { rows: measured, more: 0 };
  const size = ({ difference }: RunDifference) => Math.abs(difference.value ?? 0);
  const greatest = new Set(
    categories.toSorted((one, other) => size(other) - size(one)).slice(0, mostCategories),
  );
  return {
    rows: measured.filter((row) => row.measure !== 'category' || greatest.has(row)),
    more: categories.length - mostCategories,
  };
}

const findingWords: Partial<Record<RunDifference['finding'], string>> = {
  'too-few': 'too few to say',
  'better-on-most': 'better on most',
  'worse-on-most': 'worse on most',
  'not-visible': '',
};

/** Describes the finding of a row in a word or two; empty when no difference is visible. */
export function formatFinding({ finding, judged }: Pick<RunDifference, 'finding' | 'judged'>): string {
  if (finding === 'not-comparable') return 'not comparable';
  const found = findingWords[finding] ?? finding;
  const by = judged === 'corrected' ? 'corrected' : judged === 'uncorrected' ? 'as the judge says' : '';
  return [found, by].filter(Boolean).join(', ');
}
