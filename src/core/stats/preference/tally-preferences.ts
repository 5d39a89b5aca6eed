import { checkDomain } from '../check-domain.ts';
import type { Label } from '../cluster-interval.ts';

/** Verdicts on two targets: one verdict, or the counts of many. */
export type PreferenceCounts = {
  readonly a: string;
  readonly b: string;
  readonly aWins: number;
  readonly bWins: number;
  readonly ties?: number;
  /** The prompt that the verdicts are about; verdicts on one prompt depend on each other. */
  readonly prompt?: Label;
};

/** Preferences between targets as a table. */
export type PreferenceTable = {
  /** The names, in the order of their first verdict. */
  readonly names: readonly string[];
  /** Three numbers for every two targets i < j, at {@link pairPlace}: wins of i, wins of j, ties. */
  readonly counts: Float64Array;
};

/** Returns the place of the counts of targets i < j in the counts of a table. */
function pairPlace(i: number, j: number): number {
  return 3 * ((j * (j - 1)) / 2 + i);
}

/** Returns the names of targets in the order of their first verdict. */
export function namesOf(rows: readonly PreferenceCounts[]): string[] {
  return [...new Set(rows.flatMap(({ a, b }) => [a, b]))];
}

/**
 * Adds up verdicts.
 *
 * @param names - The names of all targets.
 * @throws RangeError for a target compared with itself, and for a count that is not a finite number from 0.
 */
export function tallyPreferences(
  rows: readonly PreferenceCounts[],
  names: readonly string[] = namesOf(rows),
): PreferenceTable {
  const places = new Map(names.map((name, place) => [name, place]));
  const counts = new Float64Array(pairPlace(0, names.length));
  for (const { a, b, aWins, bWins, ties = 0 } of rows) {
    checkDomain(a !== b, 'the target b', b, 'another than a');
    for (const [name, count] of Object.entries({ aWins, bWins, ties })) {
      checkDomain(count >= 0 && count < Infinity, name, count, 'finite and at least 0');
    }
    const [i, j] = [places.get(a) as number, places.get(b) as number];
    const place = pairPlace(Math.min(i, j), Math.max(i, j));
    add(counts, place, i < j ? aWins : bWins);
    add(counts, place + 1, i < j ? bWins : aWins);
    add(counts, place + 2, ties);
  }
  return { names, counts };
}

/** Returns the table with additional wins, as many each way, between any two targets. */
export function withPrior({ names, counts }: PreferenceTable, wins: number): PreferenceTable {
  return { names, counts: counts.map((count, place) => (place % 3 === 2 ? count : count + wins)) };
}

function add(counts: Float64Array, place: number, more: number): void {
  counts[place] = (counts[place] as number) + more;
}

/** The wins of i, the wins of j and the ties of targets i < j. */
export type PairOfTargets = {
  readonly i: number;
  readonly j: number;
  readonly iWins: number;
  readonly jWins: number;
  readonly ties: number;
};

/** Returns every two targets that were compared. */
export function comparedPairs({ names, counts }: PreferenceTable): PairOfTargets[] {
  const pairs: PairOfTargets[] = [];
  for (let j = 1; j < names.length; j += 1) {
    for (let i = 0; i < j; i += 1) {
      const place = pairPlace(i, j);
      const [iWins, jWins, ties] = counts.subarray(place, place + 3) as unknown as [number, number, number];
      if (iWins + jWins + ties > 0) pairs.push({ i, j, iWins, jWins, ties });
    }
  }
  return pairs;
}
