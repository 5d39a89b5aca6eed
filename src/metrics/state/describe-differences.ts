import type { Json } from '../../schema/json.ts';
import type { Mismatch } from '../matching/compile-matcher.ts';

const shown = 3;
const kept = 20;

/** One thing that is not as it should be, as a clause: `booking.time is "10:00", not "11:00"`. */
export function describeMismatch({ path, expected, actual }: Mismatch): string {
  return `${path === '' ? 'the state' : path} is ${actual}, not ${expected}`;
}

/** Clauses as one explanation: the first few, and how many more there are. */
export function joinClauses(clauses: readonly string[]): string {
  const more = clauses.length - shown;
  return `${clauses.slice(0, shown).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** What an audit wants to see of the differences: all of them, unless there are very many. */
export function differencesAsEvidence(mismatches: readonly Mismatch[]): Json {
  return {
    count: mismatches.length,
    differences: mismatches.slice(0, kept).map(({ path, expected, actual }) => ({ path, expected, actual })),
  };
}
