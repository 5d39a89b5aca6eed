import { z } from 'zod';
import { recordIdSchema, writtenBySchema } from './label.ts';
import { rubricNameSchema } from './rubric.ts';

/**
 * One certification of a judge on labels. Each further one on the same labels needs a wider interval, since a judge that is tried
 * until it passes would pass by chance. It never changes.
 */
export const certificateLookSchema = z.lazy(() =>
  z.object({
    id: recordIdSchema,
    rubric: rubricNameSchema,
    /** The fingerprint of the judge. */
    judge: z.string().min(1),
    /** Hash of the ids of the labels. */
    labels: z.string().min(1),
    purpose: z.literal('certify'),
    result: z.enum(['certified', 'refused']),
    by: writtenBySchema,
    /** ISO 8601. */
    at: z.iso.datetime(),
  }),
);
export type CertificateLook = z.infer<typeof certificateLookSchema>;
