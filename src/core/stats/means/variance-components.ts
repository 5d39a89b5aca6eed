import { createCompensatedSum } from '../compensated-sum.ts';
import { momentsOf, varianceOf } from '../moments.ts';
import type { Moments } from '../moments.ts';

type Components = {
  /** The variance of true question means: real difficulty. Never below 0. */
  readonly betweenVariance: number;
  /** The variance of repeats of one question: noise. */
  readonly withinVariance: number;
  /**
   * The share of the variance that is real difficulty; it may be below 0 by chance, and is null when nothing varies.
   */
  readonly intraclassCorrelation: number | null;
};

/** The sources of variance of repeated scores, or the reason why they cannot be estimated. */
export type VarianceComponents = {
  /** The number of questions with at least one score. */
  readonly n: number;
  /** The number of repeats of a question, as a mean when they differ; null without questions. */
  readonly repeats: number | null;
  /** Mean over questions of each question's own mean; null without questions. */
  readonly estimate: number | null;
  /** The standard error of the estimate, from the spread of question means; null with fewer than two questions. */
  readonly standardError: number | null;
} & (
  | (Components & { readonly status: 'defined' })
  | ({ readonly [Component in keyof Components]: null } & {
      readonly status: 'undefined';
      readonly reason: string;
    })
);

/**
 * Splits the variance of repeated scores into that between questions and that between repeats of a question. Rows are
 * questions and hold their repeats; empty rows (nothing measured) are ignored.
 *
 * Method: one-way random-effects analysis of variance (Searle, Casella & McCulloch, Variance Components (1992), ch. 3):
 * σ_b² = max(0, (MSB − MSW) / K), σ_w² = MSW, ICC = (MSB − MSW) / (MSB + (K − 1) MSW). Where questions differ in their
 * numbers k of repeats, K is (Σk − Σk² / Σk) / (n − 1).
 *
 * @throws RangeError when a value is not finite.
 */
export function varianceComponents(options: {
  readonly table: readonly (readonly number[])[];
}): VarianceComponents {
  const rows = options.table.filter((row) => row.length > 0).map(momentsOf);
  const means = momentsOf(rows.map(({ mean }) => mean));
  const n = rows.length;
  const total = sumOf(rows, (row) => row.n);
  const basis = {
    n,
    repeats: n === 0 ? null : total / n,
    estimate: n === 0 ? null : means.mean,
    standardError: n < 2 ? null : Math.sqrt(varianceOf(means) / n),
  };
  if (n < 2 || total === n) {
    const reason = n === 0 ? 'no values' : n === 1 ? 'a single question' : 'no question was repeated';
    const nothing = { betweenVariance: null, withinVariance: null, intraclassCorrelation: null };
    return { ...basis, ...nothing, status: 'undefined', reason };
  }
  return { ...basis, ...componentsOf(rows, total), status: 'defined' };
}

function componentsOf(rows: readonly Moments[], total: number): Components {
  const origin = (rows[0] as Moments).mean;
  const mean = origin + sumOf(rows, (row) => row.n * (row.mean - origin)) / total;
  const degreesBetween = rows.length - 1;
  const between = sumOf(rows, (row) => row.n * (row.mean - mean) ** 2) / degreesBetween;
  const within = sumOf(rows, ({ squares }) => squares) / (total - rows.length);
  const repeats = (total - sumOf(rows, ({ n }) => n * n) / total) / degreesBetween;
  const spread = between + (repeats - 1) * within;
  return {
    betweenVariance: Math.max(0, (between - within) / repeats),
    withinVariance: within,
    intraclassCorrelation: spread === 0 ? null : (between - within) / spread,
  };
}

function sumOf(rows: readonly Moments[], term: (row: Moments) => number): number {
  const sum = createCompensatedSum();
  for (const row of rows) {
    sum.add(term(row));
  }
  return sum.total();
}
