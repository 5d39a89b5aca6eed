import { binomialCdf } from '../binomial.ts';
import { checkConfidence } from '../check-domain.ts';
import { type Interval, defaultConfidence } from '../interval.ts';
import { wilsonInterval } from '../proportion-interval.ts';

/** The place of the answer that a judge of pairs prefers. */
export type PreferredPlace = 'first' | 'second' | 'tie';

/** A judge's verdicts on the same two answers in both orders. */
export type BothOrders = {
  /** The verdict with answer A first. */
  readonly forward: PreferredPlace;
  /** The verdict with answer A second. */
  readonly backward: PreferredPlace;
};

/** The effect of the order of answers on a judge of pairs. */
export type PositionBias = {
  /** The number of pairs of answers. */
  readonly n: number;
  /** Share of pairs with the same winner, or a tie, in both orders. */
  readonly consistency: Interval;
  /** The pairs of which the judge prefers the first place in both orders. */
  readonly towardFirst: number;
  /** The pairs of which the judge prefers the second place in both orders. */
  readonly towardSecond: number;
  /** The pairs with a winner in one order and a tie in the other. */
  readonly toTie: number;
  /** The exact two-sided p-value of the sign test that flips toward both places are equally likely; 1 without flips. */
  readonly pValue: number;
};

/**
 * Measures the position bias of a judge of pairs. A win counts only if it survives the swap of the answers; the others
 * are listed by their direction.
 *
 * Method: both orders as in L. Zheng et al., "Judging LLM-as-a-judge", NeurIPS 2023; exact sign test on flips.
 *
 * @throws RangeError unless the confidence is strictly between 0 and 1.
 */
export function positionBias(options: {
  readonly pairs: readonly BothOrders[];
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
}): PositionBias {
  const { pairs, confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  const count = (isCounted: (pair: BothOrders) => boolean) => pairs.filter(isCounted).length;
  const towardFirst = count(({ forward, backward }) => forward === 'first' && backward === 'first');
  const towardSecond = count(({ forward, backward }) => forward === 'second' && backward === 'second');
  const toTie = count(({ forward, backward }) => (forward === 'tie') !== (backward === 'tie'));
  const consistent = pairs.length - towardFirst - towardSecond - toTie;
  return {
    n: pairs.length,
    consistency: wilsonInterval({ successes: consistent, trials: pairs.length, confidence }),
    towardFirst,
    towardSecond,
    toTie,
    pValue: signTest(towardFirst, towardSecond),
  };
}

function signTest(first: number, second: number): number {
  const trials = first + second;
  if (trials === 0) return 1;
  return Math.min(1, 2 * binomialCdf({ successes: Math.min(first, second), trials, p: 0.5 }));
}
