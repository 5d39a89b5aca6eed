import { z } from 'zod';
import type { Condition } from '../schema/condition.ts';
import type { Run } from '../schema/run.ts';

const written = /^([\w-]+)(?::([^@]+))?(?:@([\d.]+))?$/;

/** A kind of fault or perturbation as it is asked for: `typos`, `case:upper`, `timeout@0.5`, or an object. */
export const conditionSettingSchema = z.lazy(() =>
  z.union([
    z
      .string()
      .regex(written, 'write a kind, such as `typos`, `case:upper` or `timeout@0.5`')
      .refine((text) => isShare(parseCondition(text).rate), 'the rate after the @ is above 0 and at most 1'),
    z.strictObject({
      kind: z.string().min(1).describe('Which one; `all` for all of them.'),
      variant: z.string().min(1).optional().describe('Which sort of it, such as `upper` of `case`.'),
      rate: z
        .number()
        .positive()
        .max(1)
        .optional()
        .describe('How much, from 0 to 1; the usual when left out.'),
    }),
  ]),
);

/** A kind with what was said of it. */
export interface AskedCondition {
  readonly kind: string;
  readonly variant?: string | undefined;
  readonly rate?: number | undefined;
}

/** Reads a setting in either form. */
export function parseCondition(setting: string | AskedCondition): AskedCondition {
  if (typeof setting !== 'string') return setting;
  const [, kind = setting, variant, rate] = written.exec(setting) ?? [];
  return {
    kind,
    ...(variant !== undefined && { variant }),
    ...(rate !== undefined && { rate: Number(rate) }),
  };
}

function isShare(rate: number | undefined): boolean {
  return rate === undefined || (rate > 0 && rate <= 1);
}

/** The conditions that targets of a run are under, as a config asks for them: its answers need the same metrics again. */
export function conditionsOfRun({ targets }: Pick<Run, 'targets'>): {
  faults: AskedCondition[];
  perturb: AskedCondition[];
} {
  const asked = (wanted: Condition['type']) =>
    targets.flatMap(({ condition }) => {
      if (condition?.type !== wanted) return [];
      const { kind, variant, rate } = condition;
      return [{ kind, ...(variant !== undefined && { variant }), ...(rate !== undefined && { rate }) }];
    });
  return { faults: asked('fault'), perturb: asked('perturbation') };
}
