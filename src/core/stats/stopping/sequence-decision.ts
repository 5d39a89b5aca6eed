import { checkDomain } from '../check-domain.ts';
import type { Interval } from '../interval.ts';

/** A confidence interval that is valid at every look, and its decision about a threshold. */
export type ConfidenceSequence = Interval & {
  /** The rate or mean to decide about; null when none was given. */
  readonly threshold: number | null;
  /** `pass` once the truth is shown to lie above the threshold, `fail` once below; null without a threshold. */
  readonly decision: StoppingDecision | null;
  /** The evidence that the truth lies above the threshold: the capital of a fair bet on it that started with 1. */
  readonly eValue: number | null;
  /** The chance of such evidence at any look if the truth is not above the threshold. */
  readonly pValue: number | null;
};

/** The part of a confidence sequence that is about a threshold. */
export type ThresholdState = Pick<ConfidenceSequence, 'threshold' | 'decision' | 'eValue' | 'pValue'>;

/** Natural logarithms of the evidence above and below a threshold. */
export type LogEvidence = { readonly above: number; readonly below: number };

/** The state without a threshold: there is nothing to decide. */
export const noThreshold: ThresholdState = { threshold: null, decision: null, eValue: null, pValue: null };

/**
 * Decides at the confidence, which applies to either side by itself.
 *
 * Method: Ville's inequality (1939): evidence reaches 1 / α with chance α at most, at any look.
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

/** The decision of a rule that may stop early, after each case. */
export type StoppingDecision = 'pass' | 'fail' | 'continue';

/** Cases judged so far, in an order that was fixed before any result was seen. */
export type Progress = {
  readonly successes: number;
  readonly trials: number;
};

/**
 * Checks counts.
 * @throws RangeError unless both are whole numbers with 0 ≤ successes ≤ trials.
 */
export function checkProgress({ successes, trials }: Progress): void {
  checkDomain(Number.isSafeInteger(trials) && trials >= 0, 'trials', trials, 'a whole number of at least 0');
  const isInside = Number.isSafeInteger(successes) && successes >= 0 && successes <= trials;
  checkDomain(isInside, 'successes', successes, `a whole number from 0 to trials (${trials})`);
}
