import { logGamma } from '../gamma.ts';
import { momentsOf, varianceOf } from '../moments.ts';
import { differencesOf } from './differences.ts';
import type { PairedValues } from './differences.ts';

/** A mean difference in standard deviations of the differences, or the reason why there is none. */
export type PairedEffectSize = { readonly n: number } & (
  | {
      readonly status: 'defined';
      /** d_z, as observed. */
      readonly value: number;
      /** d_z times the correction: without the upward bias of small samples. */
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
 * Mean difference of two bots on the same questions in standard deviations of the differences.
 *
 * Method: Cohen's d_z, corrected by L. V. Hedges, Journal of Educational Statistics 6 (1981), with the exact
 * J = Γ(m/2) / (√(m/2) Γ((m − 1)/2)) for m = n − 1.
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
