import { z } from 'zod';
import { estimateSchema } from '../estimate.ts';
import { correctionMethodSchema } from '../estimate.ts';
import { recordIdSchema } from './label.ts';
import { amount, positiveInt, wholeNumber } from '../json.ts';

/** The reasons for which a certificate holds no longer. */
export const certificateEndSchema = z.object({
  reason: z.enum([
    /** The judge, its question or its options are others. */
    'fingerprint',
    /** The replies come from another model. */
    'model',
    /** The rubric has other words. */
    'wording',
    'categories',
    'age',
    'drift',
    /** Labels were withdrawn or are gone. */
    'labels',
    /** A required condition is not met in it, or it has changed since it was made. */
    'conditions',
  ]),
  /** The reason as a clause with its numbers. */
  message: z.string(),
});
export type CertificateEnd = z.infer<typeof certificateEndSchema>;

/** A cumulative sum of evidence over the labels of one kind, and the value at which it counts as shown. */
const driftSumSchema = z.lazy(() =>
  z.object({
    labels: wholeNumber(),
    value: amount(),
    limit: z.number().positive(),
  }),
);

/** The verdicts of a judge against fresh labels since its certificate was made. */
export const driftSchema = z.lazy(() =>
  z.object({
    /** The number of fresh labels, and how many of them begin the next check. */
    labels: wholeNumber(),
    waiting: wholeNumber(),
    /** The last checks. In each, the number of labels on which judge and people agree was to lie within the limits. */
    checks: z.array(
      z.object({
        labels: positiveInt(),
        alike: wholeNumber(),
        lower: wholeNumber(),
        upper: wholeNumber(),
        isOutside: z.boolean(),
      }),
    ),
    /** The evidence that the judge fails more of the answers that people pass, and that it passes more of those they fail. */
    stricter: driftSumSchema,
    lenient: driftSumSchema,
    /** True when the certificate ends by it. */
    isDrifted: z.boolean(),
  }),
);
export type Drift = z.infer<typeof driftSchema>;

/** Says how a judge has drifted by fresh labels. */
export function describeDrift({ lenient, stricter, checks }: Omit<Drift, 'labels' | 'waiting'>): string {
  const isReached = ({ value, limit }: Drift['lenient']) => value >= limit;
  const became = [
    ...(isReached(lenient) ? [`more lenient (${lenient.labels} answers that people fail)`] : []),
    ...(isReached(stricter) ? [`stricter (${stricter.labels} answers that people pass)`] : []),
  ];
  if (became.length > 0) return `the judge has become ${became.join(' and ')}`;
  const outside = checks.filter(({ isOutside }) => isOutside).length;
  return `the judge has drifted: ${outside} of the last ${checks.length} checks are outside their limits`;
}

/** The certificate of one judged metric of a run, with its state. */
export const certificationSchema = z.lazy(() =>
  z.object({
    metric: z.string(),
    judge: z.object({ name: z.string(), fingerprint: z.string() }),
    status: z.enum(['none', 'valid', 'ended']),
    /** The certificate; absent when there is none. */
    certificate: z
      .object({
        id: recordIdSchema,
        rubric: z.string(),
        run: z.string(),
        madeAt: z.string(),
        validUntil: z.string(),
        /** The number of labelled answers, and of labels. */
        answers: wholeNumber(),
        labels: wholeNumber(),
        /** True when the error rates of the judge differ between targets: it compares none of them. */
        areTargetsUnlike: z.boolean(),
      })
      .optional(),
    /** The reasons why the certificate has ended; empty unless it has. */
    ends: z.array(certificateEndSchema),
    /** Files among the certificates that cannot be read, with the reason. */
    unreadable: z.array(z.string()),
    /** The command that leads to a valid certificate; absent when there is one. */
    remedy: z.string().optional(),
    /** The hours that labelling again takes; absent when there is a valid certificate. */
    hours: amount().optional(),
  }),
);
export type Certification = z.infer<typeof certificationSchema>;

/** The pass rate of a target by a judged metric: as the judge says, and as people would. */
export const judgedRateSchema = z.lazy(() =>
  z.object({
    target: z.string(),
    /** The share of answers that the judge passes, and their number. */
    said: z.object({ value: z.number().nullable(), n: wholeNumber() }),
    /** The corrected rate, its method and the number of labelled answers behind it; null when it cannot be corrected. */
    corrected: z
      .object({
        estimate: estimateSchema,
        method: correctionMethodSchema,
        labels: wholeNumber(),
        caution: z.enum(['too-few-labels', 'few-disagreements']).nullable(),
      })
      .nullable(),
    /** The reason for the method, or for having none, in one sentence. */
    why: z.string(),
  }),
);
export type JudgedRate = z.infer<typeof judgedRateSchema>;

/** A judged metric of a run with its certificate, and both pass rates of each target. */
export const judgedMetricReportSchema = z.lazy(() =>
  certificationSchema.unwrap().extend({ targets: z.array(judgedRateSchema) }),
);
export type JudgedMetricReport = z.infer<typeof judgedMetricReportSchema>;
