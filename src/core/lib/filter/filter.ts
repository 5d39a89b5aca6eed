import { escapeGlob } from '../compile-glob.ts';

/** The comparisons of a filter. `~` means "contains". */
export const filterOperators = ['=', '!=', '<', '<=', '>', '>=', '~'] as const;
/** A comparison of a filter. */
export type FilterOperator = (typeof filterOperators)[number];

/** The names of the runs of a pair, and of the columns of a matrix, of which there are up to eight. */
export const sides = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;
/** The name of one of several runs that are shown side by side. */
export type Side = (typeof sides)[number];

/** One condition on one field. It is plain JSON. */
export interface FilterTerm {
  /** The run that the field belongs to, in a filter of pairs or of a matrix; absent for a field that all runs share. */
  readonly side?: Side;
  /** The name of the field: a fixed one, `metadata.PATH` or `metric.NAME`. */
  readonly field: string;
  readonly operator: FilterOperator;
  /**
   * The alternatives, of which one must match; never empty. A text is a pattern in which `*` stands for any text, `\*` for a
   * star and `\\` for a backslash; a field of numbers has numbers, or `*` for any number. `<`, `<=`, `>` and `>=` have one number.
   */
  readonly values: readonly (string | number)[];
}

/** A filter: terms that must all match. An empty filter matches everything. */
export type Filter = readonly FilterTerm[];

/** Returns the term for subjects whose field has one of these texts, in which no character has another meaning. */
export function equalTo(field: string, texts: readonly string[]): FilterTerm {
  return { field, operator: '=', values: texts.map(escapeGlob) };
}

/** The values that a term compares with: all values of a field that the subject has. */
export type FieldValues = readonly (string | number)[];

/** The order of a list. */
export interface Sort {
  /** The run that the field belongs to, in a list of pairs or in a matrix. */
  readonly side?: Side;
  /** The name of a field that has at most one value, or `ordinal`, the place in the plan. */
  readonly field: string;
  readonly isDescending: boolean;
}
