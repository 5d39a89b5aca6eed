import { checkDomain } from '../check-domain.ts';
import { hypergeometricProbability } from './hypergeometric.ts';

/** Counts of two groups. */
export type TwoGroups = {
  /** The numbers with a property, and of all, in one group. */
  readonly successes: number;
  readonly trials: number;
  /** The same of the other group. */
  readonly otherSuccesses: number;
  readonly otherTrials: number;
};

/** R's allowance for rounding, by which tables as likely as the one seen count. */
const allowance = 1 + 1e-7;

/**
 * Returns the two-sided p-value of no difference between two groups; 1 where a group is empty.
 *
 * Method: R. A. Fisher's exact test (1935): the chance, with all margins fixed, of the tables that are no likelier than the one seen.
 *
 * @throws RangeError unless the counts are whole and 0 ≤ successes ≤ trials.
 */
export function fisherExact({ successes, trials, otherSuccesses, otherTrials }: TwoGroups): number {
  for (const [name, count, of] of [
    ['successes', successes, trials],
    ['otherSuccesses', otherSuccesses, otherTrials],
  ] as const)
    checkDomain(Number.isSafeInteger(count) && count >= 0 && count <= of, name, count, `from 0 to ${of}`);
  const [size, marked] = [trials + otherTrials, successes + otherSuccesses];
  const chanceOf = (found: number) => hypergeometricProbability({ found, size, marked, sampled: trials });
  const seen = chanceOf(successes) * allowance;
  let pValue = 0;
  for (let found = Math.max(0, marked - otherTrials); found <= Math.min(marked, trials); found += 1) {
    const chance = chanceOf(found);
    if (chance <= seen) pValue += chance;
  }
  return Math.min(1, pValue);
}
