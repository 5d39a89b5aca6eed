import { z } from 'zod';

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
