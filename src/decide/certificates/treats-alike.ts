import type { Estimate } from '../../core/schema/estimate.ts';
import type { Calibration } from '../../core/schema/review/certificate.ts';
import { normalCdf, normalQuantile } from '../../core/stats/normal.ts';
import type { Store } from '../../stores/store.ts';
import type { Gate } from '../../core/schema/gate.ts';
import { readCertificates } from './read-certificates.ts';

/** A target by its name and the fingerprint of what it asks. */
export interface JudgedTarget {
  readonly name: string;
  readonly fingerprint: string | undefined;
}

/** Returns the error rates of a judge on a target; undefined when no labels are of this very target. */
export function ratesOf({ ofTargets, population }: Calibration, target: JudgedTarget) {
  const isSame = population.targets.some(
    ({ name, fingerprint }) => name === target.name && fingerprint === target.fingerprint,
  );
  return isSame ? ofTargets.find(({ name }) => name === target.name) : undefined;
}

/** Returns the metrics, by their fingerprints, whose judges have certificates, whether these hold or not. Throws `store-damaged`. */
export async function certifiedMetrics(
  gate: Pick<Gate, 'judge'>,
  store: Pick<Store, 'address' | 'documents'>,
): Promise<ReadonlySet<string>> {
  const { certificates } = await readCertificates(gate, store);
  return new Set(certificates.map(({ certificate: { calibration } }) => calibration.metric.fingerprint));
}

/** The difference of an error rate between two targets. */
export interface RateDifference {
  /** The absolute difference, and the p-value of the test that there is none. */
  readonly difference: number;
  readonly pValue: number;
}

/**
 * Compares an error rate of a judge on two targets.
 *
 * Method: z-test, with standard errors from the limits of both intervals.
 */
export function compareRates(one: Estimate, other: Estimate): RateDifference {
  const difference = Math.abs((one.value ?? 0) - (other.value ?? 0));
  const z = difference / Math.hypot(standardErrorOf(one), standardErrorOf(other));
  return { difference, pValue: 2 * (1 - normalCdf(z)) };
}

function standardErrorOf({ lower, upper, confidence }: Estimate): number {
  return ((upper ?? 1) - (lower ?? 0)) / (2 * normalQuantile((1 + confidence) / 2));
}

/** The difference of an error rate from which targets are not treated alike, whatever its p-value. */
const mostDifference = 0.1;

/** Returns whether a difference counts: by 10 points, or by more than chance would among so many tests (Bonferroni). */
export function isDifferent({ pValue, difference }: RateDifference, tests: number): boolean {
  return pValue <= 0.05 / tests || difference >= mostDifference;
}
