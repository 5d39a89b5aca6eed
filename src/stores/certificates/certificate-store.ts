import type { Certificate, RefusedCalibration } from '../../core/schema/review/certificate.ts';

/**
 * The part of a store for certificates of judges. A certificate never changes, and none is removed: what was believed of a
 * judge remains known after the certificate has ended. When the promise of a write resolves, the data is stored, even if the
 * process dies right afterwards.
 */
export interface CertificateStore {
  /** Stores a certificate. Returns false when it is stored already; its id is the hash of its content. */
  add(certificate: Certificate): Promise<boolean>;
  /**
   * Returns all certificates, or those of a metric, the newest first. Throws `store-damaged` when one has changed or is
   * missing.
   */
  list(metric?: string): Promise<Certificate[]>;
  /** Stores a calibration that gave no certificate. Returns false when the same numbers were refused before. */
  addRefusal(refusal: RefusedCalibration): Promise<boolean>;
  /** Returns the refused calibrations, as `list` returns certificates. */
  listRefusals(metric?: string): Promise<RefusedCalibration[]>;
}
