import { checkDomain } from '../check-domain.ts';

/** What a rule that may stop early says after each case. */
export type StoppingDecision = 'pass' | 'fail' | 'continue';

/** Cases judged so far, in an order that was fixed before any result was seen. */
export type Progress = {
  readonly successes: number;
  readonly trials: number;
};

/** @throws RangeError unless both are whole numbers with 0 ≤ successes ≤ trials. */
export function checkProgress({ successes, trials }: Progress): void {
  checkDomain(Number.isSafeInteger(trials) && trials >= 0, 'trials', trials, 'a whole number of at least 0');
  const isInside = Number.isSafeInteger(successes) && successes >= 0 && successes <= trials;
  checkDomain(isInside, 'successes', successes, `a whole number from 0 to trials (${trials})`);
}
