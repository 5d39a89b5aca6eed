import { z } from 'zod';
import { estimateSchema } from './estimate.ts';
import { positiveInt, wholeNumber } from './json.ts';

/** The fault that makes a tool late. Its result is true. */
export const slowKind = 'slow';

/**
 * A condition that makes a target's task harder than the dataset does: faults in its tools, or rephrased questions.
 * The target under it is compared with the same target without it.
 */
export const conditionSchema = z.object({
  type: z.enum(['fault', 'perturbation']),
  /** The kind in kebab-case: `timeout`, `typos`, … */
  kind: z.string(),
  /** The variant of the kind, when the configuration asks for one, such as `upper` of `case`. */
  variant: z.string().optional(),
  /** The strength, when the configuration sets one; otherwise the default of the kind applies. */
  rate: z.number().positive().max(1).optional(),
  /** The name of the same target without the condition, which is in the same run. */
  of: z.string(),
});
export type Condition = z.infer<typeof conditionSchema>;

/** The cell of a grid that a target is: one combination of the levels of settings. */
export const gridPlaceSchema = z.object({
  /** The name of the target whose settings vary. */
  of: z.string(),
  /** The level of each setting by its path, in the order of the configuration. */
  levels: z.record(z.string(), z.string()),
});
export type GridPlace = z.infer<typeof gridPlaceSchema>;

/** Describes a condition in a few words, such as `fault timeout`, `case upper` or `typos@0.5`. */
export function conditionName({ type, kind, variant, rate }: Omit<Condition, 'of'>): string {
  const words = [...(type === 'fault' ? ['fault'] : []), kind, ...(variant === undefined ? [] : [variant])];
  return `${words.join(' ')}${rate === undefined ? '' : `@${rate}`}`;
}

/** Returns the targets without a condition: scores, comparisons and gates are about these. */
export function withoutConditions<Target extends { readonly condition?: Condition }>(
  targets: readonly Target[],
): Target[] {
  return targets.filter(({ condition }) => condition === undefined);
}

/** The robustness of a target to one condition: how often its verdict is the same with and without it. */
export const robustnessSchema = z.lazy(() =>
  z.object({
    /** The name of the target under the condition. */
    target: z.string(),
    condition: conditionSchema,
    /** Share of the comparable pairs whose verdict stayed the same. */
    held: estimateSchema,
    /** The share if the verdict had changed in every pair that cannot be compared; null when nothing was planned. */
    worstCase: z.number().nullable(),
    counts: pairCountsSchema,
    /** The ways in which the target handled a fault; absent when no metric reports them. */
    handling: z.array(handlingSchema).optional(),
    /** The first flips in the order of the plan; not all of them when there are many. */
    flips: z.array(flipSchema),
  }),
);
/** The robustness of a target to one condition: how often its verdict is the same with and without it. */
export type Robustness = z.infer<typeof robustnessSchema>;

/**
 * Counts of the pairs of trials by outcome: each pairs a trial of a target with one of the same target under a
 * condition, for the same case and attempt.
 */
const pairCountsSchema = z.lazy(() =>
  z.object({
    planned: wholeNumber(),
    /** Both have the same verdict. */
    held: wholeNumber(),
    /** The trial without the condition passed; the one under it did not. */
    broken: wholeNumber(),
    /** Only the trial under the condition passed. */
    mended: wholeNumber(),
    /** The condition did not take effect: no tool was used, or no result of one could be changed. */
    untouched: wholeNumber(),
    /** The target gave no usable answer under the condition. */
    errors: wholeNumber(),
    /** One of the two has no verdict, for a reason other than the above. */
    notMeasured: wholeNumber(),
    notRun: wholeNumber(),
  }),
);
export type PairCounts = z.infer<typeof pairCountsSchema>;

/** A case whose verdict changed under the condition. */
const flipSchema = z.lazy(() =>
  z.object({
    caseId: z.string(),
    attempt: positiveInt(),
    /** True when it passed under the condition. */
    passed: z.boolean(),
    /** Place of the trial under the condition in the plan. */
    ordinal: wholeNumber(),
  }),
);
export type Flip = z.infer<typeof flipSchema>;

/**
 * The ways of handling a fault, best first, with their names in reports: the labels that reports count of a metric with
 * the aspect `handled-fault`.
 */
export const faultHandlings = [
  { label: 'recovered', title: 'recovered', rating: 'good' },
  { label: 'told-user', title: 'told user', rating: 'good' },
  { label: 'gave-up', title: 'gave up', rating: 'fair' },
  { label: 'misled', title: 'misled', rating: 'bad' },
  { label: 'made-up', title: 'made up', rating: 'bad' },
] as const;

/** The number of trials in which a fault was handled in one way. */
const handlingSchema = z.lazy(() =>
  z.object({
    label: z.string(),
    trials: positiveInt(),
    /** The first cases in the order of the plan; not all of them when there are many. */
    caseIds: z.array(z.string()),
  }),
);
export type Handling = z.infer<typeof handlingSchema>;
