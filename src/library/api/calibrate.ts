import { calibrate as calibrateJudge, certify, refuse } from '../../people/reviews/calibrate/calibrate.ts';
import { countLooks, storeLook } from '../../people/reviews/calibrate/looks.ts';
import { type CalibrationChoice, readCalibration } from '../../people/reviews/calibrate/read-calibration.ts';
import type { Calibration, Certificate, RefusedCalibration } from '../../core/schema/review/certificate.ts';
import { storeCorrections } from '../../evaluate/run/summarize.ts';
import { touchstoneVersion } from '../../core/own-package.ts';
import { type StoreChoice, withStore } from './open-store.ts';
import { certificateKind, refusedCalibrationKind } from '../../stores/kinds/certificate.ts';
import { addDocument } from '../../stores/documents/document-store.ts';

/** Options of holding a judge against labels. */
export interface CalibrateOptions extends StoreChoice, CalibrationChoice {
  /** The least lower bound of kappa or AC1 of people with each other; 0.4 by default. */
  readonly leastAgreement?: number;
  /** The person who compares the judge with labels, for the record. */
  readonly by?: string;
  /** The time of the certificate; the current one by default. */
  readonly now?: Date;
}

/** A judge compared with labels, with its certificate; null when a required condition is not met. */
export interface CalibrateReport {
  readonly calibration: Calibration;
  readonly certificate: Certificate | null;
}

/**
 * Compares the judge of a metric with the labels of people, as `touchstone calibrate` does. Calls nothing. A certificate is saved
 * in the store for ever; write it to `calibrations/` as well, so that other machines find it. A calibration that gives none is
 * stored too, with its reasons, for people to read. Lists of runs show the scores that a certificate corrects from then on.
 * @throws TouchstoneError for an unknown run or review task, and for a rubric or metric that cannot be compared.
 */
export async function calibrate(options: CalibrateOptions): Promise<CalibrateReport> {
  const {
    run,
    rubric,
    task,
    isTuned: isSaidTuned,
    leastAgreement,
    by,
    now = new Date(),
    ...choice
  } = options;
  return await withStore(choice, async (store) => {
    const input = await readCalibration(store, { run, rubric, task, isTuned: isSaidTuned });
    const isTuned = input.split.part === 'certify';
    const plain = calibrateJudge({ ...input, leastAgreement });
    const lookedAt = { rubric: plain.rubric, metric: plain.metric, labels: input.paired.settled };
    const look = isTuned ? await countLooks(store.documents, lookedAt) : undefined;
    const calibration = look === undefined ? plain : calibrateJudge({ ...input, leastAgreement, look });
    const before = await Array.fromAsync(
      store.documents.list(certificateKind, { where: { metric: calibration.metric.name } }),
    );
    const needs = { now, by, touchstoneVersion, before };
    const certificate = certify(calibration, needs);
    // On disk before anyone sees the result.
    if (look !== undefined) {
      const result = certificate === null ? 'refused' : 'certified';
      await storeLook(store.documents, lookedAt, { result, by: by ?? 'unknown', now });
    }
    if (certificate === null)
      await addDocument(store.documents, refusedCalibrationKind, refuse(calibration, needs));
    else {
      await addDocument(store.documents, certificateKind, certificate);
      await storeCorrections(calibration, store);
    }
    return { calibration, certificate };
  });
}

/** A calibration of the past: with the end of its certificate, or null when it gave none. */
export interface PastCalibration extends Pick<RefusedCalibration, 'madeAt' | 'by' | 'calibration'> {
  readonly validUntil: string | null;
}

/** Lists the calibrations by a rubric that a store has, the newest first: those with a certificate, and those that were refused. */
export async function listCalibrations(
  options: StoreChoice & { readonly rubric: string },
): Promise<PastCalibration[]> {
  const { rubric, ...choice } = options;
  return await withStore(choice, async ({ documents }) =>
    [
      ...(await Array.fromAsync(documents.list(certificateKind))),
      ...(await Array.fromAsync(documents.list(refusedCalibrationKind))),
    ]
      .filter(({ calibration }) => calibration.rubric.id === rubric)
      .toSorted((one, other) => (one.madeAt < other.madeAt ? 1 : -1))
      .map((made) => ({
        madeAt: made.madeAt,
        by: made.by,
        validUntil: 'validUntil' in made ? String(made.validUntil) : null,
        calibration: made.calibration,
      })),
  );
}
