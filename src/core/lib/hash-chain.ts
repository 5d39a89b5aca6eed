import { hash } from 'node:crypto';
import { canonicalJson } from './content-hash.ts';

/** The place of an entry in a chain of hashes. */
export interface Chained {
  /** 1, 2, 3, … */
  readonly number: number;
  /** The hash of the entry before; empty for the first. */
  readonly previous: string;
  /** The SHA-256 of all of this entry but the hash itself. */
  readonly hash: string;
}

/** The end of a chain up to some entry. */
export interface ChainEnd {
  readonly entries: number;
  /** The hash of the last entry. Written down elsewhere, it shows later that entries at the end are gone. */
  readonly head: string;
}

/** Returns an entry with its place after the last one, which is undefined when there is none. */
export function chainAfter<Entry extends object>(
  last: Pick<Chained, 'number' | 'hash'> | undefined,
  entry: Entry,
): Entry & Chained {
  const placed = { ...entry, number: (last?.number ?? 0) + 1, previous: last?.hash ?? '' };
  return { ...placed, hash: hashEntry(placed) };
}

/** Returns what is wrong with an entry that comes after others, in words; undefined when nothing is. */
export function faultOf({ hash: own, ...entry }: Chained, { entries, head }: ChainEnd): string | undefined {
  const { number, previous } = entry;
  if (number !== entries + 1) return `entry ${entries + 1} is missing: after it comes ${number}`;
  if (previous !== head) return `entry ${number} does not follow the one before it`;
  return own === hashEntry(entry) ? undefined : `entry ${number} was changed`;
}

/** Returns the SHA-256 of the canonical JSON of an entry without its hash. */
function hashEntry(entry: object): string {
  return hash('sha256', canonicalJson(entry), 'hex');
}
