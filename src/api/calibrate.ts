import { calibrate as holdAgainst, certify } from '../reviews/calibrate/calibrate.ts';
import { type CalibrationChoice, readCalibration } from '../reviews/calibrate/read-calibration.ts';
import type { Calibration, Certificate } from '../schema/review/certificate.ts';
import { touchstoneVersion } from '../version.ts';
import { type StoreChoice, withStore } from './open-store.ts';

/** Options of holding a judge against labels. */
export interface CalibrateOptions extends StoreChoice, CalibrationChoice {
  /** The least lower bound of kappa or AC1 of people with each other; 0.4 when left out. */
  readonly leastAgreement?: number;
  /** The time of the certificate; the current one when left out. */
  readonly now?: Date;
}

/** A judge held against labels, with its certificate; null when a required condition is not met. */
export interface CalibrateReport {
  readonly calibration: Calibration;
  readonly certificate: Certificate | null;
}

/**
 * Holds the judge of a metric against the labels of people, as `touchstone calibrate` does. Calls nothing. A certificate is kept
 * in the store for ever; write it to `calibrations/` as well, so that other machines find it.
 * @throws TouchstoneError for an unknown run or review task, and for a rubric or metric that cannot be compared.
 */
export async function calibrate(options: CalibrateOptions): Promise<CalibrateReport> {
  const { run, rubric, task, isTuned, leastAgreement, now = new Date(), ...choice } = options;
  return await withStore(choice, async (store) => {
    const input = await readCalibration(store, { run, rubric, task, isTuned });
    const calibration = holdAgainst({ ...input, leastAgreement });
    const before = await store.certificates.list(calibration.metric.name);
    const certificate = certify(calibration, { now, touchstoneVersion, before });
    if (certificate !== null) await store.certificates.add(certificate);
    return { calibration, certificate };
  });
}
