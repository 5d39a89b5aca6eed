import { z } from 'zod';
import type { Condition } from '../../../core/schema/condition.ts';
import type { Run } from '../../../core/schema/run.ts';

const written = /^([\w-]+)(?::([^@]+))?(?:@([\d.]+))?$/;

/** The schema of a requested fault or perturbation: `typos`, `case:upper`, `timeout@0.5`, or an object. */
export const conditionSettingSchema = z.lazy(() =>
  z.union([
    z
      .string()
      .regex(written, 'write a kind, such as `typos`, `case:upper` or `timeout@0.5`')
      .refine(
        (text) => isShare(parseCondition(text).rate),
        'the rate after the @ must be above 0 and at most 1',
      ),
    z.strictObject({
      kind: z.string().min(1).describe('The kind of fault or perturbation; `all` for all of them.'),
      variant: z.string().min(1).optional().describe('The variant, such as `upper` of `case`.'),
      rate: z
        .number()
        .positive()
        .max(1)
        .optional()
        .describe('The rate, above 0 and at most 1. Every kind has its own default.'),
    }),
  ]),
);

/** A fault or perturbation as a user requests it. */
export interface RequestedCondition {
  readonly kind: string;
  readonly variant?: string;
  readonly rate?: number;
}

/** Parses a requested condition in either form. */
export function parseCondition(setting: string | RequestedCondition): RequestedCondition {
  if (typeof setting !== 'string') return setting;
  const [, kind = setting, variant, rate] = written.exec(setting) ?? [];
  return {
    kind,
    variant,
    ...(rate !== undefined && { rate: Number(rate) }),
  };
}

function isShare(rate: number | undefined): boolean {
  return rate === undefined || (rate > 0 && rate <= 1);
}

/**
 * Returns the conditions of a run's targets in the form of a config. Rescoring needs them, since conditions bring their own
 * metrics.
 */
export function conditionsOfRun({ targets }: Pick<Run, 'targets'>): {
  faults: RequestedCondition[];
  perturb: RequestedCondition[];
} {
  const asked = (wanted: Condition['type']) =>
    targets.flatMap(({ condition }) => {
      if (condition?.type !== wanted) return [];
      const { kind, variant, rate } = condition;
      return [{ kind, variant, rate }];
    });
  return { faults: asked('fault'), perturb: asked('perturbation') };
}
