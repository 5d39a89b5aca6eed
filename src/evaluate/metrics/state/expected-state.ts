import type { Json } from '../../../core/schema/json.ts';
import { readPath } from '../criteria/record-view.ts';
import type { Mismatch } from '../matching/compile-matcher.ts';
import type { MetricInput } from '../metric.ts';
import { notApplicable } from '../verdicts.ts';

/** An expected value given by the config or by each case. */
export interface ExpectedValue {
  readonly expected?: Json;
  /** The path in the case. */
  readonly from: string;
}

/** Returns the expected value; undefined when the case has none. */
export function readExpected({ expected, from }: ExpectedValue, input: MetricInput): Json | undefined {
  return expected === undefined ? readPath(input, from) : expected;
}

/** Returns the verdict on a trial whose case has no value at a path. */
export function nothingAt(path: string) {
  return notApplicable(`the question has no ${path}`);
}

/** The most differences that an explanation names, and the most that are stored as evidence. */
const [shown, kept] = [3, 20];

/** Describes one difference as a clause: `booking.time is "10:00", not "11:00"`. */
export function describeMismatch({ path, expected, actual }: Mismatch): string {
  return `${path === '' ? 'the state' : path} is ${actual}, not ${expected}`;
}

/** Joins clauses to one explanation: the first few, and how many more there are. */
export function joinClauses(clauses: readonly string[]): string {
  const more = clauses.length - shown;
  return `${clauses.slice(0, shown).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** Returns the differences as evidence: all of them, unless there are very many. */
export function differencesAsEvidence(mismatches: readonly Mismatch[]): Json {
  return {
    count: mismatches.length,
    differences: mismatches.slice(0, kept).map(({ path, expected, actual }) => ({ path, expected, actual })),
  };
}
