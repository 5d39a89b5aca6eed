import { checkDomain } from '../check-domain.ts';
import { logGamma } from '../gamma.ts';
import { momentsOf, varianceOf } from '../moments.ts';
import { differencesOf, type PairedValues } from './differences.ts';

/** A mean difference in standard deviations of the differences, or the reason why there is none. */
export type PairedEffectSize = { readonly n: number } & (
  | {
      readonly status: 'defined';
      /** d_z, as observed. */
      readonly value: number;
      /** d_z times the correction, without the upward bias of small samples. */
      readonly unbiased: number;
      /** Hedges' J. */
      readonly correction: number;
    }
  | {
      readonly status: 'undefined';
      readonly value: null;
      readonly unbiased: null;
      readonly correction: null;
      readonly reason: string;
    }
);

/**
 * Returns the mean difference of two bots on the same questions in standard deviations of the differences.
 *
 * Method: Cohen's d_z, corrected by L. V. Hedges, Journal of Educational Statistics 6 (1981), with the exact J = Γ(m/2)
 * / (√(m/2) Γ((m − 1)/2)) for m = n − 1.
 *
 * @throws RangeError when lists differ in length or a value is not finite.
 */
export function pairedEffectSize(pairs: PairedValues): PairedEffectSize {
  const moments = momentsOf(differencesOf(pairs));
  const { n, mean, squares } = moments;
  if (n < 3 || squares === 0 || !Number.isFinite(squares)) {
    const known = squares === 0 ? 'the differences do not vary' : 'differences are too large to square';
    const reason = n < 3 ? 'fewer than three pairs' : known;
    return { status: 'undefined', value: null, unbiased: null, correction: null, reason, n };
  }
  const half = (n - 1) / 2;
  const correction = Math.exp(logGamma(half) - logGamma(half - 0.5) - 0.5 * Math.log(half));
  const value = mean / Math.sqrt(varianceOf(moments));
  return { status: 'defined', value, unbiased: correction * value, correction, n };
}

/** Cliff's delta, or the reason why there is none. */
export type CliffsDelta = {
  /** The numbers of values of A and of B. */
  readonly n: { readonly a: number; readonly b: number };
} & (
  | {
      readonly status: 'defined';
      /** The delta, from −1 (all of A below all of B) to 1. */
      readonly value: number;
      /** The chance that a value of A exceeds one of B, with equal values counted half. */
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
 * Returns the effect size for ordered ratings: the chance that a value of A exceeds one of B, minus the chance of the
 * opposite.
 *
 * Method: N. Cliff, "Dominance statistics", Psychological Bulletin 114 (1993), over all pairs of a value of A and one
 * of B.
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

/** The effect size of two pass rates. */
export type CohensH = { readonly status: 'defined'; readonly value: number };

/**
 * Returns the difference of two pass rates, A minus B, on a scale on which the same step is as hard to detect
 * everywhere; from −π to π. 0.2, 0.5 and 0.8 are called small, medium and large.
 *
 * Method: J. Cohen, Statistical Power Analysis for the Behavioral Sciences (1988), ch. 6: 2 asin √a − 2 asin √b.
 *
 * @throws RangeError unless both rates are in [0, 1].
 */
export function cohensH({ a, b }: { readonly a: number; readonly b: number }): CohensH {
  for (const [name, rate] of Object.entries({ a, b })) {
    checkDomain(rate >= 0 && rate <= 1, name, rate, 'from 0 to 1');
  }
  return { status: 'defined', value: 2 * (Math.asin(Math.sqrt(a)) - Math.asin(Math.sqrt(b))) };
}
