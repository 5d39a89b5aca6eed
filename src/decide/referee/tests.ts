import { binomialCdf } from '../../core/stats/binomial.ts';
import { createBettingMixture, signTest } from '../../core/stats/index.ts';

/** The claim that a look tests. */
export type RefereeClaim =
  | { readonly kind: 'improvement' }
  /** That the candidate loses less than a margin, a share above 0 and below 1. */
  | { readonly kind: 'no-regression'; readonly margin: number };

/** The values that are compared: verdicts of questions, or numbers between 0 and 1. */
export type RefereeMeasure = 'passed' | 'score';

/** A claim with the measure and the level at which it is tested. */
export interface RefereeTest {
  readonly claim: RefereeClaim;
  readonly measure: RefereeMeasure;
  readonly level: number;
}

/** Allows for rounding where a chance meets the level exactly, as 2⁻¹⁰ meets .5¹⁰. */
const fuzz = 1 + 64 * Number.EPSILON;

/**
 * Returns whether a claim is shown. If it is false, the chance of that is at most the level: all tests are exact, without
 * mid-p and without approximation, since levels reach 10⁻⁵.
 *
 * Methods: for verdicts, the exact sign test, and for no regression the losses alone, P(Bin(n, M) ≤ l), which is valid
 * because a mean of −M or less has losses on a share M or more; for values, the betting mixture and Ville's inequality
 * (I. Waudby-Smith & A. Ramdas 2024).
 * @param differences - Candidate less incumbent, from −1 to 1, in an order that no answer has influenced.
 */
export function isShown({ claim, measure, level }: RefereeTest, differences: readonly number[]): boolean {
  if (differences.length === 0) return false;
  if (measure === 'score') return isShownByBets(claim, differences, level);
  const [wins, losses] = [1, -1].map((sign) => differences.filter((each) => each * sign > 0).length) as [
    number,
    number,
  ];
  if (claim.kind === 'improvement') return signTest({ wins, losses }) <= level * fuzz;
  return binomialCdf({ successes: losses, trials: differences.length, p: claim.margin }) <= level * fuzz;
}

function isShownByBets(claim: RefereeClaim, differences: readonly number[], level: number): boolean {
  const mean = claim.kind === 'improvement' ? 0.5 : (1 - claim.margin) / 2;
  const mixture = createBettingMixture({ mean });
  for (const each of differences) mixture.add((each + 1) / 2);
  return mixture.evidence() * fuzz >= 1 / level;
}

/** Returns whether a claim could be shown by so many questions, if all of them spoke for it. */
export function canBeShown(test: RefereeTest, questions: number): boolean {
  const best = test.claim.kind === 'no-regression' && test.measure === 'passed' ? 0 : 1;
  return isShown(
    test,
    Array.from({ length: questions }, () => best),
  );
}

/** Returns the fewest wins without a loss that confirm an improvement. */
export function fewestWins(level: number): number {
  return Math.ceil(-Math.log2(level * fuzz));
}

/** Returns the smallest margin that so many questions with so many losses can exclude. */
export function smallestMargin(
  questions: number,
  { losses, level }: { losses: number; level: number },
): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 60; step += 1) {
    const margin = (low + high) / 2;
    if (binomialCdf({ successes: losses, trials: questions, p: margin }) <= level) high = margin;
    else low = margin;
  }
  return high;
}
