import { z } from 'zod';
import { sumKnown, sumUsage, usageSchema } from './usage.ts';

/** What it took to have a model put questions in other words: never part of what the target took. */
export const rewritingSchema = z.lazy(() =>
  z.object({
    model: z.string(),
    usage: usageSchema.optional(),
    /** In US dollars; absent when unknown. */
    cost: z.number().nonnegative().optional(),
  }),
);
export type Rewriting = z.infer<typeof rewritingSchema>;

/** Several together; undefined where there was none. A count that one of them does not have is not known of all. */
export function sumRewritings(all: readonly (Rewriting | undefined)[]): Rewriting | undefined {
  const taken = all.filter((each) => each !== undefined);
  const [first] = taken;
  if (first === undefined || taken.length === 1) return first;
  const usage = sumUsage(taken.map((each) => each.usage));
  const cost = sumKnown(taken.map((each) => each.cost));
  return { model: first.model, ...(usage && { usage }), ...(cost !== undefined && { cost }) };
}
