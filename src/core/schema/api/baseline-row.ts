import { z } from 'zod';
import { baselineNameSchema } from '../decision.ts';

/** A baseline of the store: a name, and the run that it was made from. */
const baselineRowSchema = z.object({ name: z.string(), run: z.string() });

/** The baselines of the store, by name. */
export const baselineListSchema = z.array(baselineRowSchema);

/** A request to store a run under a name that later runs are compared with. */
export const newBaselineSchema = z.object({ name: baselineNameSchema, run: z.string() });
