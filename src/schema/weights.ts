import { z } from 'zod';

/** How much parts of the dataset count in the weighted numbers of a run; only the proportions matter. */
export const weightsSchema = z.object({
  category: z
    .record(z.string(), z.number().nonnegative())
    .refine((weights) => Object.values(weights).some((weight) => weight > 0), {
      message: 'at least one weight has to be above 0',
    })
    .describe(
      'What each category counts, such as its share of real traffic: `{ billing: 70, legal: 30 }`; 0 leaves one out. Only the proportions matter.',
    ),
});
export type Weights = z.infer<typeof weightsSchema>;
