import type { Filter, Sort } from '../lib/filter/filter.ts';
import type { TrialRow } from '../schema/api/trial-row.ts';

/** A place in a sorted list of trials: that of a trial with this value in the column of the order, at this place in the plan. */
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
  readonly by?: readonly (string | FieldRange)[];
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

/** The number of trials that have the same values of some fields. */
export interface TrialCount {
  /** The values in the order of the fields, the number of a part as a text; null where there is none. */
  readonly values: readonly (string | null)[];
  readonly trials: number;
}
