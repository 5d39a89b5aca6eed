import { z } from 'zod';
import { trialRowSchema } from '../trial-row.ts';

/** The results of one run in a pair. */
export const pairSideSchema = z.lazy(() =>
  z.object({
    /** The mean total of the attempts; null when none has one. */
    total: z.number().nullable(),
    /** The share of the attempts that passed, of those that passed or failed; null when there are none. */
    passShare: z.number().nullable(),
    /** True when most attempts passed, false when most failed; null otherwise. */
    passed: z.boolean().nullable(),
    /** The attempt that is shown: where the pair flipped, one with the result of most attempts. Null when there is none. */
    trial: trialRowSchema.nullable(),
  }),
);
/** The results of one run in a pair. */
export type PairSide = z.infer<typeof pairSideSchema>;

/** A case in two runs, paired by its content. */
export const pairRowSchema = z.lazy(() =>
  z.object({
    /** The position of the case in run B, from 0. */
    position: z.int().nonnegative(),
    /** The id and the category of the case in run B. */
    caseId: z.string(),
    category: z.string(),
    a: pairSideSchema,
    b: pairSideSchema,
    /** The total in run B minus that in run A; null when either is unknown. */
    change: z.number().nullable(),
    /** `worse` when most attempts passed in run A and most failed in run B; `better` for the reverse. */
    flip: z.enum(['better', 'worse', 'none']),
  }),
);
/** A case in two runs, paired by its content. */
export type PairRow = z.infer<typeof pairRowSchema>;
