import { z } from 'zod';
import { nonEmpty } from './json.ts';

/**
 * A configured extension as plain data: which one (`use`), an optional name for it in this run, and its options. The
 * value is the same in TypeScript, YAML, JSON and the database.
 */
export const useSchema = z.looseObject({ use: nonEmpty(), name: nonEmpty().optional() });
export type Use = z.infer<typeof useSchema>;

/**
 * A configured extension as a setting, whose value is passed on rather than copied: a value made by a factory still knows
 * its definition, so a user's own extension needs no registry.
 */
export const useSettingSchema: z.ZodType<Use> = z
  .any()
  .superRefine((value, context) => {
    for (const issue of useSchema.safeParse(value).error?.issues ?? []) {
      context.addIssue({ ...issue, continue: false });
    }
  })
  .meta({ type: 'object', properties: { use: { type: 'string' } }, required: ['use'] });

/** An extension in a config: its name alone, or an object with `use` and its options. */
export const useOrNameSchema: z.ZodType<Use | string> = z.union([nonEmpty(), useSettingSchema]);
