import { TouchstoneError } from '../../../core/errors.ts';
import { hashContent } from '../../../core/lib/content-hash.ts';
import { randomId } from '../../../core/lib/random-id.ts';
import type { Calibration } from '../../../core/schema/review/certificate.ts';
import type { CertificateLook } from '../../../core/schema/review/certificate-look.ts';
import { certificateLookKind } from '../../../stores/kinds/certificate.ts';
import { addReviewRecords } from '../../../stores/reviews/review-records.ts';
import type { DocumentStore } from '../../../stores/documents/document-store.ts';

/** The number of judges that the same labels can certify. */
const mostLooks = 4;

/** The labels that certify, and the metric whose judge they are to certify. */
interface LookedAt extends Pick<Calibration, 'rubric' | 'metric'> {
  /** The ids of all labels that settle an answer: those on which the judge has no verdict too, so that its errors start no new count. */
  readonly labels: readonly string[];
}

/**
 * Returns the two-sided confidence of the limits of a look at the same labels: 1 − 2 · 0.05/2^k. All looks together then err in at
 * most 5 % a side, since 0.025 + 0.0125 + … < 0.05.
 */
export function confidenceOfLook(look: number): number {
  return 1 - 0.1 / 2 ** look;
}

/**
 * Returns the number of the look at labels that certifying a judge is, from 1: another judge on the same labels is a further look, the
 * same judge once more is not. Throws `labels-spent` after the fourth.
 */
export async function countLooks(
  documents: DocumentStore,
  { rubric, labels, metric }: LookedAt,
): Promise<number> {
  const where = { rubric: rubric.id, rubric_version: rubric.version };
  const hash = hashContent(labels);
  const all = await Array.fromAsync(documents.list(certificateLookKind, { where }));
  const judges = [...new Set(all.filter((look) => look.labels === hash).map(({ judge }) => judge))];
  const before = judges.indexOf(metric.fingerprint);
  const number = (before === -1 ? judges.length : before) + 1;
  if (number <= mostLooks) return number;
  throw new TouchstoneError(
    'labels-spent',
    `${mostLooks} judges were compared with these labels of ${rubric.id} already; one more would pass by chance too often.`,
    { remedy: `Label 100 more: \`touchstone review create --rubric ${rubric.id} --labels 100\`.` },
  );
}

/** Stores that a judge was compared with labels, which counts whether or not it was certified. */
export async function storeLook(
  documents: DocumentStore,
  { rubric, labels, metric }: LookedAt,
  { result, by, now }: Pick<CertificateLook, 'result'> & { readonly by: string; readonly now: Date },
): Promise<void> {
  const look: CertificateLook = {
    id: randomId(),
    rubric,
    judge: metric.fingerprint,
    labels: hashContent(labels),
    purpose: 'certify',
    result,
    by: { person: by },
    at: now.toISOString(),
  };
  await addReviewRecords(documents, { looks: [look] });
}
