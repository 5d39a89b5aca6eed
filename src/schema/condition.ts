import { z } from 'zod';
import { estimateSchema } from './estimate.ts';

/** Where the pairs of trials went: one of a target, one of the same under a condition, of one case and attempt. */
const pairCountsSchema = z.lazy(() =>
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
const flipSchema = z.lazy(() =>
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
const handlingSchema = z.lazy(() =>
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

/**
 * What makes a target's life harder than the dataset does: faults in its tools, or questions put in another way. It is held
 * against the same target without.
 */
export const conditionSchema = z.object({
  type: z.enum(['fault', 'perturbation']),
  /** Kebab-case: `timeout`, `typos`, … */
  kind: z.string(),
  /** Which sort of the kind, where one was asked for, such as `upper` of `case`. */
  variant: z.string().optional(),
  /** How much, where that was asked for; without it the usual. */
  rate: z.number().positive().max(1).optional(),
  /** The name of the target without it, which is in the same run. */
  of: z.string(),
});
export type Condition = z.infer<typeof conditionSchema>;

/** A condition in a few words, such as `fault timeout`, `case upper` or `typos@0.5`. */
export function conditionName({ type, kind, variant, rate }: Omit<Condition, 'of'>): string {
  const words = [...(type === 'fault' ? ['fault'] : []), kind, ...(variant === undefined ? [] : [variant])];
  return `${words.join(' ')}${rate === undefined ? '' : `@${rate}`}`;
}

/** The targets that are not under a condition: those that scores, comparisons and gates are about. */
export function withoutConditions<Target extends { readonly condition?: Condition | undefined }>(
  targets: readonly Target[],
): Target[] {
  return targets.filter(({ condition }) => condition === undefined);
}
