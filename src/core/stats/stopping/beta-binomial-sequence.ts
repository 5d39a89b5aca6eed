import { betaProbabilities, logBeta } from '../beta.ts';
import { checkConfidence, checkDomain } from '../check-domain.ts';
import { findRoot } from '../find-root.ts';
import { defaultConfidence, undefinedInterval } from '../interval.ts';
import {
  checkProgress,
  type ConfidenceSequence,
  decideByEvidence,
  type LogEvidence,
  noThreshold,
  type Progress,
} from './sequence-decision.ts';

/** Options of {@link betaBinomialSequence}: the cases so far and the decision to make. */
export type BetaBinomialOptions = Progress & {
  /** A pass rate to decide about, strictly between 0 and 1. */
  readonly threshold?: number;
  /** Shapes of the mixing beta distribution; 1 and 1, all rates alike, by default. */
  readonly prior?: { readonly a: number; readonly b: number };
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

/**
 * Returns a confidence sequence for a pass rate: one may look after every case and stop at any time, and the chance
 * that the interval ever misses the truth stays below 1 − confidence. With a threshold it also decides: the chance of
 * ever passing a rate that is not above the threshold, or of ever failing one that is not below it, stays below 1 −
 * confidence.
 *
 * Method: mixture of likelihood ratios (H. Robbins, Annals of Mathematical Statistics 41 (1970)): E(p) = B(a + s, b +
 * f) / B(a, b) / (p^s (1 − p)^f); the interval contains all p with E(p) < 1 / α. For a threshold only the rates beyond
 * it are mixed.
 *
 * @throws RangeError unless successes and trials are whole with 0 ≤ successes ≤ trials, the threshold and the
 * confidence are strictly between 0 and 1, and the shapes of the prior are positive and finite.
 */
export function betaBinomialSequence(options: BetaBinomialOptions): ConfidenceSequence {
  const { successes, trials, threshold, prior = { a: 1, b: 1 }, confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  checkProgress(options);
  for (const [name, shape] of Object.entries({ a: prior.a, b: prior.b })) {
    checkDomain(shape > 0 && shape < Infinity, `prior.${name}`, shape, 'positive and finite');
  }
  const isInside = threshold === undefined || (threshold > 0 && threshold < 1);
  checkDomain(isInside, 'threshold', threshold, 'between 0 and 1, both excluded');
  const mixture = { successes, failures: trials - successes, ...prior };
  const state =
    threshold === undefined
      ? noThreshold
      : decideByEvidence(evidenceAbout(mixture, threshold), { threshold, confidence });
  const basis = { n: trials, confidence, method: 'beta-binomial-sequence', ...state } as const;
  if (trials === 0) return undefinedInterval({ ...basis, estimate: null, reason: 'no trials' });
  const estimate = successes / trials;
  return { ...basis, status: 'defined', estimate, ...limitsOf(mixture, -Math.log1p(-confidence)) };
}

type Mixture = {
  readonly successes: number;
  readonly failures: number;
  readonly a: number;
  readonly b: number;
};

function limitsOf(mixture: Mixture, needed: number): { lower: number; upper: number } {
  const { successes, failures } = mixture;
  const estimate = successes / (successes + failures);
  const evidence = logEvidence(mixture);
  const of = (p: number) => evidence(p) - needed;
  return {
    lower: successes === 0 ? 0 : findRoot({ low: 0, high: estimate, of }),
    upper: failures === 0 ? 1 : findRoot({ low: estimate, high: 1, of }),
  };
}

/** Returns ln E(p) as a function of p. */
function logEvidence({ successes, failures, a, b }: Mixture): (p: number) => number {
  const mixed = logBeta({ a: a + successes, b: b + failures }) - logBeta({ a, b });
  return (p) => {
    const ofSuccesses = successes === 0 ? 0 : successes * Math.log(p);
    const ofFailures = failures === 0 ? 0 : failures * Math.log1p(-p);
    return mixed - ofSuccesses - ofFailures;
  };
}

/** Returns the evidence of a mixture of only the rates above the threshold, and of only those below it. */
function evidenceAbout(mixture: Mixture, threshold: number): LogEvidence {
  const { successes, failures, a, b } = mixture;
  const point = { x: threshold, y: 1 - threshold };
  const before = betaProbabilities({ ...point, a, b });
  const after = betaProbabilities({ ...point, a: a + successes, b: b + failures });
  const both = logEvidence(mixture)(threshold);
  return {
    above: both + Math.log(after.upper / before.upper),
    below: both + Math.log(after.lower / before.lower),
  };
}
