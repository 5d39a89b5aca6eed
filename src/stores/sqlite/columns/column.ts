import type { Json } from '../../../schema/json.ts';

/**
 * The JSON values that many rows have in the same place, kept together: so they are short, and numbers can be read without
 * the words beside them.
 */
export type Column = { readonly same: Json } | { readonly values: Json[] } | ObjectColumn;

/** Objects, taken apart into one column for each key. */
export interface ObjectColumn {
  /** The keys of each kind of object that there is, in their order; null is the kind of what is null. */
  readonly kinds: readonly Keys[];
  /** The number of each row's kind; absent when all are of the first. */
  readonly kindOf?: readonly number[];
  /** The values of a key, of those rows only that have it. */
  readonly columns: Record<string, Column>;
}

export type Keys = readonly string[] | null;

/** Columns that were set aside from a column, each with the keys that lead to it. */
export type ColumnsAside = (readonly [path: readonly string[], column: Column])[];
