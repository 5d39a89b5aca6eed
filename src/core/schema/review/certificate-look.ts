import { z } from 'zod';
import { recordIdSchema, writtenBySchema } from './label.ts';
import { rubricNameSchema } from './rubric.ts';
import { nonEmpty } from '../json.ts';

/**
 * One certification of a judge on labels. Each further one on the same labels needs a wider interval, since a judge that is tried
 * until it passes would pass by chance. It never changes.
 */
export const certificateLookSchema = z.lazy(() =>
  z.object({
    id: recordIdSchema,
    rubric: rubricNameSchema,
    /** The fingerprint of the judge. */
    judge: nonEmpty(),
    /** Hash of the ids of the labels. */
    labels: nonEmpty(),
    purpose: z.literal('certify'),
    result: z.enum(['certified', 'refused']),
    by: writtenBySchema,
    /** ISO 8601. */
    at: z.iso.datetime(),
  }),
);
export type CertificateLook = z.infer<typeof certificateLookSchema>;
