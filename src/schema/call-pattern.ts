import { z } from 'zod';
import { expectedValueSchema, matcherName } from './matcher.ts';

/** A strict object whose refusal of other keys names the right ones. */
export function strictShape<Shape extends z.ZodRawShape>(shape: Shape) {
  const keys = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? `no other keys than ${keys}` : undefined),
  });
}

/** How the arguments of calls are compared; may stand beside one call, or beside all calls of a case. */
export const comparisonShape = {
  match: z
    .enum(['exact', 'superset', 'subset'])
    .optional()
    .describe(
      'How arguments are compared. `exact` (the default): just those expected. `superset`: those expected and perhaps more. `subset`: none but those expected, some may be missing.',
    ),
  ignore: z
    .array(z.string().min(1))
    .optional()
    .describe('Paths in the arguments that do not count, such as `session.id` or `items[*].price`.'),
  tolerance: z
    .number()
    .nonnegative()
    .optional()
    .describe('How far a number may be from the expected one; 0 when left out.'),
  text: z
    .enum(['exact', 'loose'])
    .optional()
    .describe('`loose`: letter case, punctuation and white space of texts do not count.'),
};
export type Comparison = { [Key in keyof typeof comparisonShape]?: z.infer<(typeof comparisonShape)[Key]> };

const count = z.int().min(0).max(1000);

const timesSchema = z.lazy(() =>
  z
    .union([
      count,
      strictShape({
        min: count.optional().describe('Least number of calls; 0 when left out.'),
        max: count.optional().describe('Greatest number of calls; any when left out.'),
      }).refine(({ min = 0, max = Number.POSITIVE_INFINITY }) => min <= max, {
        message: 'a `max` that is at least `min`',
      }),
    ])
    .describe('How often: a number, or a least and a greatest one.'),
);

const matchedName = expectedValueSchema.refine(
  (value) => typeof value === 'object' && value !== null && matcherName(value) !== undefined,
  { message: 'a name, or a matcher such as { "$oneOf": ["a", "b"] }', abort: true },
);

/** What a tool call is to be like, beside its name. */
const conditionsShape = {
  arguments: expectedValueSchema
    .optional()
    .describe('What the tool is given: values and matchers (see `docs/tool-calls.md`). Any when left out.'),
  ...comparisonShape,
  status: z
    .enum(['ok', 'failed', 'retried'])
    .optional()
    .describe(
      'What became of the call. `retried`: it failed, and a later call of the same tool did not. Any when left out.',
    ),
};

const patternShape = {
  name: z.union([z.string().min(1), matchedName]).describe('The name of the tool, or a matcher for names.'),
  ...conditionsShape,
};

const toolName = z.string().min(1);

/** What a tool call is to be like: the name of the tool, or an object with conditions. */
export const callPatternSchema = z.lazy(() => z.union([toolName, strictShape(patternShape)]));
export type CallPattern = z.infer<typeof callPatternSchema>;

/** The same, with how often such calls are expected. */
export const countedCallSchema = z.lazy(() =>
  z.union([toolName, strictShape({ ...patternShape, times: timesSchema.optional() })]),
);
export type CountedCall = z.infer<typeof countedCallSchema>;

/** A tool that the target is expected to use: its name, or an object with the name and conditions. */
export const expectedToolSchema = z.lazy(() =>
  z.union([
    toolName,
    strictShape({
      name: toolName.describe('The name of the tool.'),
      ...conditionsShape,
      times: timesSchema.optional(),
    }),
  ]),
);
export type ExpectedTool = z.infer<typeof expectedToolSchema>;
