import type { Filter, Sort } from '../lib/filter/filter.ts';
import type { TrialRow } from '../schema/api/trial-row.ts';
import type { TrialOutcome } from '../schema/result.ts';

/** A place in a sorted list of trials: the place of a trial with this value in the column of the order, at this place in the plan. */
export interface TrialCursor {
  readonly value: string | number | null;
  readonly ordinal: number;
}

/** A part of a list of trials. */
export interface TrialQuery {
  /** All trials by default. */
  readonly where?: Filter;
  /** The order of the plan by default. Unknown values come last, equal values in the order of the plan. */
  readonly sort?: Sort;
  /** The place after which the list goes on; its beginning by default. */
  readonly after?: TrialCursor;
  /** The largest number of rows. */
  readonly limit: number;
  /** True for one row for each case and target: of the attempts that match, the first one in the order. */
  readonly fold?: boolean;
}

/** A part of a list of trials, with the place after which the next part begins; null at the end of the list. */
export interface TrialPage {
  readonly rows: readonly TrialRow[];
  readonly next: TrialCursor | null;
}

/** A value in a column of trials: texts for `tag`, which may have several. */
export type ColumnValue = string | number | null | readonly string[];

/** A trial with the values of the columns that were asked for, in their order. */
export interface TrialColumns {
  readonly ordinal: number;
  readonly values: readonly ColumnValue[];
}

/** The trials and the columns to read. */
export interface ColumnQuery {
  readonly where?: Filter;
  /**
   * The names of fields: those by which lists can be sorted, `tag`, and `metrics` for the values of all metrics: a JSON object,
   * with null for a metric without a value, or null for a trial without scores.
   */
  readonly columns?: readonly string[];
}

/** The trials to count, and how. */
export interface CountQuery {
  readonly where?: Filter;
  /** Fields that have at most one text, such as `category`, or ranges; none to count all trials together. */
  readonly by?: readonly CountedBy[];
  /** True to count the attempts of a target at a case as one. */
  readonly fold?: boolean;
}

/**
 * The equal parts into which the range from 0 to 1 of a field of numbers is divided, such as `total`. Its values are the
 * numbers of the parts, from 0: a part begins with its lower end, and the last one has everything from there on.
 */
export interface FieldRange {
  readonly field: string;
  readonly parts: number;
}

/** A field of numbers whose values are counted as they are rounded down to three significant digits. */
export interface RoundedField {
  readonly field: string;
  readonly digits: 3;
}

/** The values that trials are counted by: of a field, the parts of its range, or its numbers rounded down. */
export type CountedBy = string | FieldRange | RoundedField;

/** The number of trials that have the same values of some fields. */
export interface TrialCount {
  /** The values in the order of the fields, the number of a part as a text; null where there is none. */
  readonly values: readonly (string | number | null)[];
  readonly trials: number;
}

/** A column of a matrix: a target of a run. */
export interface MatrixColumn {
  readonly run: string;
  readonly target: string;
}

/** A part of the rows of a matrix: of the cases that the runs of all columns have in common. */
export interface MatrixQuery {
  /** All rows by default. A term without a side is about the case, or about all cells of a row. */
  readonly where?: Filter;
  /** The order of the plan of the first column by default. Unknown values come last. */
  readonly sort?: Sort;
  /** The place after which the list goes on: its position in the plan of the first column, with the value of the order. */
  readonly after?: TrialCursor;
  /** The largest number of rows. */
  readonly limit: number;
}

/** A row of a matrix: its places, and how each column turned out. */
export interface MatrixPlace {
  /** The positions of the case, in the plan of the run of each column. */
  readonly positions: readonly number[];
  /** The results of the cells, all attempts as one; null where nothing was asked yet. */
  readonly results: readonly (TrialOutcome | null)[];
  /** The value of the order. */
  readonly value: string | number | null;
}

/** A part of the rows of a matrix, and whether the list goes on. */
export interface MatrixPage {
  readonly places: readonly MatrixPlace[];
  readonly isMore: boolean;
}

/** The number of rows of a matrix whose cells have these results. */
export interface MatrixCount {
  readonly results: readonly (TrialOutcome | null)[];
  readonly rows: number;
}

/** The cases of the run of a column that the run of another column does not have. */
export interface UnpairedCases {
  readonly cases: number;
  /** The ids of the first ones, in the order of the plan. */
  readonly first: readonly string[];
}

/** A question about the traits of a run. */
export interface TraitQuery {
  /** The most values of a field that are listed; 1000 by default. */
  readonly most?: number;
  /** The fields that are counted; all by default. */
  readonly fields?: readonly string[];
}

/** The scored trials of a target that have a trait. */
export interface TraitCount {
  /** The place of the target among the targets of the run. */
  readonly target: number;
  readonly field: string;
  readonly value: string;
  readonly trials: number;
  /** The sum of the counts of the trait, such as all calls of a tool. */
  readonly count: number;
  /** Trials that are known to have passed or failed, and those that passed. */
  readonly measured: number;
  readonly passed: number;
  /** The place of the first of them in the plan. */
  readonly first: number;
  /** All values that the trials of the target have for the field, with the sums of these numbers. */
  readonly ofField: {
    readonly values: number;
    readonly trials: number;
    readonly measured: number;
    readonly passed: number;
  };
}
