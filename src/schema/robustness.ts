import { z } from 'zod';
import { conditionSchema } from './condition.ts';
import { estimateSchema } from './estimate.ts';

/** Where the pairs of trials went: one of a target, one of the same under a condition, of one case and attempt. */
export const pairCountsSchema = z.lazy(() =>
  z.object({
    planned: z.int().nonnegative(),
    /** Both have the same verdict. */
    held: z.int().nonnegative(),
    /** Passed without the condition, and not with it. */
    broken: z.int().nonnegative(),
    /** Passed with the condition only. */
    mended: z.int().nonnegative(),
    /** The condition did not come to bear: no tool was used, or none had anything to spoil. */
    untouched: z.int().nonnegative(),
    /** The target gave no usable answer under the condition. */
    errors: z.int().nonnegative(),
    /** One of the two has no verdict, for another reason. */
    notMeasured: z.int().nonnegative(),
    notRun: z.int().nonnegative(),
  }),
);
export type PairCounts = z.infer<typeof pairCountsSchema>;

/** A case whose verdict did not hold. */
export const flipSchema = z.lazy(() =>
  z.object({
    caseId: z.string(),
    attempt: z.int().positive(),
    /** Whether it passed under the condition. */
    passed: z.boolean(),
    /** Place in the plan of the trial under the condition. */
    ordinal: z.int().nonnegative(),
  }),
);
export type Flip = z.infer<typeof flipSchema>;

/** One way of dealing with a fault, such as `recovered` or `made-up`. */
export const handlingSchema = z.lazy(() =>
  z.object({
    label: z.string(),
    trials: z.int().positive(),
    /** The first in the order of the plan; not all of them when there are many. */
    caseIds: z.array(z.string()),
  }),
);
export type Handling = z.infer<typeof handlingSchema>;

/** How a target stands up to one condition: how often its verdict is the same with and without. */
export const robustnessSchema = z.lazy(() =>
  z.object({
    /** The name of the target under the condition. */
    target: z.string(),
    condition: conditionSchema,
    /** Share of the pairs whose verdict held, among those that can be compared. */
    held: estimateSchema,
    /** The share if no pair that could not be compared had held; null when nothing was planned. */
    worstCase: z.number().nullable(),
    counts: pairCountsSchema,
    /** Of a fault: the ways in which the target dealt with it; absent where no metric says so. */
    handling: z.array(handlingSchema).optional(),
    /** The first in the order of the plan; not all of them when there are many. */
    flips: z.array(flipSchema),
  }),
);
/** How a target stands up to one condition: how often its verdict is the same with and without. */
export type Robustness = z.infer<typeof robustnessSchema>;
