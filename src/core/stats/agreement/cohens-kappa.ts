import { checkConfidence, checkDomain } from '../check-domain.ts';
import { defaultConfidence } from '../interval.ts';
import {
  type NormalInterval,
  normalInterval,
  type Range,
  undefinedNormalInterval,
} from '../normal-interval.ts';
import { crossTable, type TwoRaters } from './rating-table.ts';

/** The credit for ratings that are not the same: none, or by their distance on an ordinal scale. */
export type KappaWeights = 'none' | 'linear' | 'quadratic';

/** Two raters' verdicts as lists, or as a square table of counts, with rows of the first and columns of the second. */
export type KappaOptions = (TwoRaters | { readonly table: readonly (readonly number[])[] }) & {
  /** `none` by default; `linear` and `quadratic` need categories in the order of the scale. */
  readonly weights?: KappaWeights;
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

/** A coefficient of agreement beyond chance, with its parts. */
export type Kappa = NormalInterval & {
  /** The observed agreement, with partial credit where there are weights; null without items. */
  readonly observed: number | null;
  /** The agreement that independent raters would have by chance; null without items. */
  readonly expected: number | null;
  /** The number of items that only one of the two rated. */
  readonly leftOut: number;
};

const kappaRange: Range = { least: -1, greatest: 1 };

/**
 * Measures the agreement of two raters beyond chance: 1 for the same verdicts on all items, 0 for what chance gives. When
 * all ratings are alike it is undefined, never 1: nothing shows whether the raters would also agree on other items.
 *
 * Method: J. Cohen, Educational and Psychological Measurement 20 (1960), (p_o − p_e) / (1 − p_e); weighted: Psychological
 * Bulletin 70 (1968), with credit 1 − d (linear) or 1 − d² (quadratic) for ratings at the distance d of the scale's
 * length; standard error of J. L. Fleiss, J. Cohen & B. S. Everitt, Psychological Bulletin 72 (1969).
 *
 * @throws RangeError when the lists differ in length, a rating is not among the categories, the table is not square or
 * has a count below 0, or the confidence is not strictly between 0 and 1.
 */
export function cohensKappa(options: KappaOptions): Kappa {
  const { weights = 'none', confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  const { table, leftOut } = 'table' in options ? { table: options.table, leftOut: 0 } : crossTable(options);
  checkTable(table);
  const n = table.flat().reduce((sum, count) => sum + count, 0);
  const basis = { n, confidence, method: 'fleiss-cohen-everitt' } as const;
  if (n === 0) {
    const nothing = { observed: null, expected: null, leftOut };
    return { ...undefinedNormalInterval({ ...basis, estimate: null, reason: 'no items' }), ...nothing };
  }
  const { observed, expected, kappa, standardError } = estimateKappa(table, n, weights);
  const parts = { observed, expected, leftOut };
  if (isAlike(table)) {
    const reason = 'all ratings are alike';
    return { ...undefinedNormalInterval({ ...basis, estimate: null, reason }), ...parts };
  }
  if (standardError === 0) {
    const reason = 'the agreement does not vary between items';
    return { ...undefinedNormalInterval({ ...basis, estimate: kappa, standardError: 0, reason }), ...parts };
  }
  return { ...normalInterval({ ...basis, estimate: kappa, standardError, range: kappaRange }), ...parts };
}

function checkTable(table: readonly (readonly number[])[]): void {
  for (const [place, row] of table.entries()) {
    checkDomain(row.length === table.length, `the length of row ${place + 1}`, row.length, `${table.length}`);
    for (const count of row) {
      checkDomain(
        Number.isSafeInteger(count) && count >= 0,
        'a count',
        count,
        'a whole number of at least 0',
      );
    }
  }
}

/** Returns whether both raters chose one and the same category for all items. */
function isAlike(table: readonly (readonly number[])[]): boolean {
  const used = table.flatMap((row, i) => row.flatMap((count, j) => (count > 0 ? [{ i, j }] : [])));
  return used.length === 1 && used[0]?.i === used[0]?.j;
}

type Estimate = {
  readonly observed: number;
  readonly expected: number;
  readonly kappa: number;
  readonly standardError: number;
};

/** The share of a variance below which it is rounding noise. */
const noise = 1e-14;

/** Returns kappa and its standard error from counts, or from shares with the number of items. */
export function estimateKappa(
  table: readonly (readonly number[])[],
  n: number,
  weights: KappaWeights,
): Estimate {
  const shares = table.map((row) => row.map((count) => count / n));
  const rows = shares.map((row) => sumOf(row));
  const columns = rows.map((_, j) => sumOf(shares.map((row) => row[j] as number)));
  const credit = (i: number, j: number) => creditOf(Math.abs(i - j) / Math.max(1, table.length - 1), weights);
  // The mean credit that a category of one rater has with the ratings of the other.
  const creditOfRow = rows.map((_, i) => sumOf(columns.map((share, j) => share * credit(i, j))));
  const creditOfColumn = columns.map((_, j) => sumOf(rows.map((share, i) => share * credit(i, j))));
  const observed = sumOf(shares.map((row, i) => sumOf(row.map((share, j) => share * credit(i, j)))));
  const expected = sumOf(rows.map((share, i) => share * (creditOfRow[i] as number)));
  const kappa = (observed - expected) / (1 - expected);
  const squares = shares.map((row, i) =>
    sumOf(
      row.map((share, j) => {
        const chance = (creditOfRow[i] as number) + (creditOfColumn[j] as number);
        return share * (credit(i, j) - chance * (1 - kappa)) ** 2;
      }),
    ),
  );
  const total = sumOf(squares);
  const spread = total - (kappa - expected * (1 - kappa)) ** 2;
  const variance = spread <= noise * total ? 0 : spread / (n * (1 - expected) ** 2);
  return { observed, expected, kappa, standardError: Math.sqrt(variance) };
}

function creditOf(distance: number, weights: KappaWeights): number {
  if (weights === 'linear') return 1 - distance;
  if (weights === 'quadratic') return 1 - distance ** 2;
  return distance === 0 ? 1 : 0;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
