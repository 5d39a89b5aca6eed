import { checkDomain } from '../check-domain.ts';

/** The effect size of two pass rates. */
export type CohensH = { readonly status: 'defined'; readonly value: number };

/**
 * Difference of two pass rates, A minus B, on a scale on which the same step is as hard to detect everywhere; from
 * −π to π. 0.2, 0.5 and 0.8 are called small, medium and large.
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
