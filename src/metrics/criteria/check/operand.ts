import { z } from 'zod';
import { jsonSchema } from '../../../schema/json.ts';
import { expectedValueSchema } from '../../../schema/matcher.ts';
import { recordPathSchema } from '../record-view.ts';

/** A value to compare with that stands in the case or the trial, and what it is when there is none. */
const referenceSchema = z.strictObject({ path: recordPathSchema, default: jsonSchema.optional() });
export type Reference = z.output<typeof referenceSchema>;

/** Whether a value to compare with is a place in the case or the trial, and not the value itself. */
export function isReference(value: unknown): value is Reference {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return 'path' in value && Object.keys(value).every((key) => key === 'path' || key === 'default');
}

/** A value of a kind, or a reference to one. What a reference is made of is not spelt out wherever it can stand. */
function orReference<Value extends z.ZodType>(schema: Value, kind: string) {
  const reference: z.ZodType<Reference> = z
    .any()
    .superRefine((value, context) => {
      if (!isReference(value)) {
        const message = `must be ${kind}, or where one stands: \`{ path: expected.state.time }\``;
        context.addIssue({ code: 'custom', message });
        return;
      }
      for (const issue of referenceSchema.safeParse(value).error?.issues ?? [])
        context.addIssue({ ...issue });
    })
    .meta({ type: 'object' });
  return z.union([schema, reference]);
}

/** Any value, with matchers in it, or a reference. */
export const valueOperand = jsonSchema.superRefine((value, context) => {
  if (isReference(value)) {
    for (const issue of referenceSchema.safeParse(value).error?.issues ?? []) context.addIssue({ ...issue });
    return;
  }
  for (const issue of expectedValueSchema.safeParse(value).error?.issues ?? []) {
    context.addIssue({ ...issue, message: `expected ${issue.message}` });
  }
});

/** A number or a reference. */
export const numberOperand = orReference(z.number(), 'a number');

/** A list of values, or a reference. */
export const listOperand = orReference(z.array(jsonSchema).min(1), 'a list of values');

/** How regular expressions are read: ignoring case, by whole characters. */
export const patternFlags = 'iu';

/** A regular expression. */
export const patternOperand = z
  .string()
  .min(1)
  .superRefine((pattern, context) => {
    try {
      new RegExp(pattern, patternFlags);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
    }
  });
