import { checkDomain } from '../check-domain.ts';
import type { Interval } from '../interval.ts';

/** A confidence interval that holds at every look at once, and where it stands against a threshold. */
export type ConfidenceSequence = Interval & {
  /** The rate or mean to decide about; null when none was given. */
  readonly threshold: number | null;
  /** `pass` once the truth is shown to lie above the threshold, `fail` once below; null without a threshold. */
  readonly decision: StoppingDecision | null;
  /** Evidence that the truth lies above the threshold: what a fair bet against that would have made of 1. */
  readonly eValue: number | null;
  /** Chance of such evidence at any look, were the truth not above the threshold. */
  readonly pValue: number | null;
};

/** The part of a confidence sequence that is about a threshold. */
export type ThresholdState = Pick<ConfidenceSequence, 'threshold' | 'decision' | 'eValue' | 'pValue'>;

/** Natural logarithms of the evidence above and below a threshold. */
export type LogEvidence = { readonly above: number; readonly below: number };

/** Without a threshold there is nothing to decide. */
export const noThreshold: ThresholdState = { threshold: null, decision: null, eValue: null, pValue: null };

/**
 * Decides at the confidence for either side by itself.
 *
 * Method: Ville's inequality (1939): evidence reaches 1 / α with chance α at most, at whichever look.
 */
export function decideByEvidence(
  { above, below }: LogEvidence,
  { threshold, confidence }: { readonly threshold: number; readonly confidence: number },
): ThresholdState {
  const needed = -Math.log1p(-confidence);
  return {
    threshold,
    decision: above >= needed ? 'pass' : below >= needed ? 'fail' : 'continue',
    eValue: Math.min(Number.MAX_VALUE, Math.exp(above)),
    pValue: Math.min(1, Math.exp(-above)),
  };
}

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
