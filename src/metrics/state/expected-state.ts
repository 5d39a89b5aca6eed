import type { Json } from '../../schema/json.ts';
import { readPath } from '../criteria/record-view.ts';
import type { Mismatch } from '../matching/compile-matcher.ts';
import type { MetricInput } from '../metric.ts';

/** An expected value that stands in the config or, in its place, in each case. */
export interface ExpectedValue {
  readonly expected?: Json | undefined;
  /** The path in the case. */
  readonly from: string;
}

/** The expected value; undefined where the case has none. */
export function readExpected({ expected, from }: ExpectedValue, input: MetricInput): Json | undefined {
  return expected === undefined ? readPath(input, from) : expected;
}

/** The verdict on a trial of a case that has nothing at a path. */
export function nothingAt(path: string) {
  return { status: 'not-applicable', reason: `the case has no ${path}` } as const;
}

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
