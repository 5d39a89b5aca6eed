import { type Fields, isFields } from './fields.ts';

/** The names that lead to a value in a row. */
export type Path = readonly string[];

/** The origin in a row of a path of a case. */
export interface Origin {
  readonly to: readonly PropertyKey[];
  readonly from: readonly PropertyKey[];
}

/** The field of a row from which a field of a case was taken. */
export interface Holder {
  /** The rank of the name: of two names for the same field, the one with the lower rank wins. */
  readonly rank: number;
  readonly from: Path;
  readonly raw: unknown;
}

/**
 * Returns the origins of the fields of a case.
 * @param added - The number of turns in the case before the turns of the row.
 */
export function traceOrigins(
  holders: Readonly<Record<string, Holder>>,
  value: Fields,
  added: number,
): Origin[] {
  const fields = Object.entries(holders).flatMap(([field, { from, raw }]) => {
    const to = field.split('.');
    return [{ to, from }, ...(field === 'expected.documents' ? traceDocuments(to, from, raw) : [])];
  });
  return [...fields, ...(added === 0 ? [] : traceTurns(holders, value, added))];
}

/** Returns the origins of turns that are at a later position in the case than in the row. */
function traceTurns(
  { 'user.script': beside, user }: Readonly<Record<string, Holder>>,
  value: Fields,
  added: number,
): Origin[] {
  const from = beside?.from ?? [...(user?.from ?? []), 'script'];
  const { script = [] } = value['user'] as { readonly script?: readonly unknown[] };
  return script.slice(added).map((_turn, index) => ({
    to: ['user', 'script', index + added],
    from: [...from, index],
  }));
}

/** Returns the origins of the relevance of documents that are an object, not a list, in the row. */
function traceDocuments(to: Path, from: Path, raw: unknown): Origin[] {
  const ids = isFields(raw) ? Object.keys(raw) : [];
  return ids.map((id, index) => ({ to: [...to, index, 'relevance'], from: [...from, id] }));
}
