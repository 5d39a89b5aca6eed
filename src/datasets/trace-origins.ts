import { type Fields, isFields } from './put-into.ts';

/** The names on the way to a value in a row. */
export type Path = readonly string[];

/** Where a path of a case comes from in its row. */
export interface Origin {
  readonly to: readonly PropertyKey[];
  readonly from: readonly PropertyKey[];
}

/** The field of a row that a field of a case was taken from. */
export interface Holder {
  /** Of two names for the same field, the one with the lower rank wins. */
  readonly rank: number;
  readonly from: Path;
  readonly given: unknown;
}

/**
 * Where the fields of a case come from.
 * @param added - Turns that stand in the case before those of the row.
 */
export function traceOrigins(
  holders: Readonly<Record<string, Holder>>,
  value: Fields,
  added: number,
): Origin[] {
  const fields = Object.entries(holders).flatMap(([field, { from, given }]) => {
    const to = field.split('.');
    return [{ to, from }, ...(field === 'expected.documents' ? traceDocuments(to, from, given) : [])];
  });
  return [...fields, ...(added === 0 ? [] : traceTurns(holders, value, added))];
}

/** Where turns come from that stand further down in the case than in the row. */
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

/** Where the relevance of documents comes from that stand in the row as an object and not as a list. */
function traceDocuments(to: Path, from: Path, given: unknown): Origin[] {
  const ids = isFields(given) ? Object.keys(given) : [];
  return ids.map((id, index) => ({ to: [...to, index, 'relevance'], from: [...from, id] }));
}
