import { checkDomain } from '../check-domain.ts';

/** How often values of A exceed values of B, or the reason why that cannot be told. */
export type CliffsDelta = {
  /** Values of A, and of B. */
  readonly n: { readonly a: number; readonly b: number };
} & (
  | {
      readonly status: 'defined';
      /** From −1 (all of A below all of B) to 1. */
      readonly value: number;
      /** Chance that a value of A exceeds one of B, equal values counting half. */
      readonly superiority: number;
    }
  | {
      readonly status: 'undefined';
      readonly value: null;
      readonly superiority: null;
      readonly reason: string;
    }
);

/**
 * Effect size for ordered ratings: the chance that a value of A exceeds one of B, less the chance of the opposite.
 *
 * Method: N. Cliff, "Dominance statistics", Psychological Bulletin 114 (1993), over all pairs of a value of A and
 * one of B.
 *
 * @throws RangeError when a value is not finite.
 */
export function cliffsDelta(lists: {
  readonly a: readonly number[];
  readonly b: readonly number[];
}): CliffsDelta {
  const [a, b] = [sorted(lists.a), sorted(lists.b)];
  const n = { a: a.length, b: b.length };
  const pairs = n.a * n.b;
  if (pairs === 0) return { status: 'undefined', value: null, superiority: null, reason: 'no values', n };
  let wins = 0;
  let below = 0;
  let upTo = 0;
  let losses = 0;
  for (const value of a) {
    while (below < n.b && (b[below] as number) < value) below += 1;
    while (upTo < n.b && (b[upTo] as number) <= value) upTo += 1;
    wins += below;
    losses += n.b - upTo;
  }
  const value = (wins - losses) / pairs;
  return { status: 'defined', value, superiority: (1 + value) / 2, n };
}

function sorted(values: readonly number[]): Float64Array {
  for (const value of values) {
    checkDomain(Number.isFinite(value), 'a value', value, 'finite');
  }
  return Float64Array.from(values).sort();
}
