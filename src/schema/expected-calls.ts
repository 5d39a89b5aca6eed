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
const callPatternSchema = z.lazy(() => z.union([toolName, strictShape(patternShape)]));
export type CallPattern = z.infer<typeof callPatternSchema>;

/** The same, with how often such calls are expected. */
const countedCallSchema = z.lazy(() =>
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

const groupSchema = z.lazy(() =>
  strictShape({
    together: z
      .array(callPatternSchema)
      .min(1)
      .describe(
        'Calls that are asked for in one message, in any order. In the modes `strict` and `in-order`.',
      ),
  }),
);

const expectItemSchema = z.union([countedCallSchema, groupSchema]);
export type ExpectItem = z.infer<typeof expectItemSchema>;

const expectList = z.array(expectItemSchema);

const patternList = z.union([callPatternSchema, z.array(callPatternSchema).min(1)]);

const orderRuleSchema = z.lazy(() =>
  strictShape({
    call: callPatternSchema.describe('The rule is about every call like this; without one it holds.'),
    after: patternList.optional().describe('A call like each of these came earlier.'),
    before: patternList.optional().describe('A call like each of these comes later.'),
  }).refine(({ after, before }) => after !== undefined || before !== undefined, {
    message: '`after` or `before` beside `call`',
  }),
);
export type OrderRule = z.infer<typeof orderRuleSchema>;

/** How a list of expected calls and the actual calls are held against each other. */
export const callModeSchema = z.enum(['strict', 'in-order', 'unordered', 'subset', 'superset']);
export type CallMode = z.infer<typeof callModeSchema>;

const rulesSchema = () =>
  strictShape({
    expect: expectList.optional().describe('The calls to make, each once unless `times` says otherwise.'),
    mode: callModeSchema
      .optional()
      .describe(
        'How `expect` is meant. `unordered` (the default): just these calls. `strict`: just these, in this order. `in-order`: in this order, others may come between. `superset`: these and perhaps others. `subset`: none but these, some may be missing.',
      ),
    extra: z
      .boolean()
      .optional()
      .describe(
        'Whether calls beside those of `expect` are allowed. For the modes `in-order`, where they are, and `unordered`, where they are not.',
      ),
    must: z
      .array(countedCallSchema)
      .min(1)
      .optional()
      .describe('Calls to make at least once, or as often as `times` says; others do not matter.'),
    mustNot: z.array(callPatternSchema).min(1).optional().describe('Calls that are not to be made.'),
    only: z.array(callPatternSchema).min(1).optional().describe('Every call is like one of these.'),
    none: z.literal(true).optional().describe('No tool is to be called at all.'),
    order: z
      .array(orderRuleSchema)
      .min(1)
      .optional()
      .describe('Which calls come before or after which others.'),
    failures: z
      .enum(['none', 'retried', 'dealt-with'])
      .optional()
      .describe(
        'What is asked of failed calls. `none`: no call may fail. `retried`: a later call of the same tool did not fail. `dealt-with`: that, or the user is told.',
      ),
    ...comparisonShape,
  });
export type CallRules = z.infer<ReturnType<typeof rulesSchema>>;

const ruleNames = ['expect', 'must', 'mustNot', 'only', 'none', 'order', 'failures'] as const;

const extraModes: ReadonlySet<CallMode> = new Set(['in-order', 'unordered']);
const groupModes: ReadonlySet<CallMode> = new Set(['strict', 'in-order']);

/** What the tool calls of a conversation are to be like: rules that all have to hold; a list is short for `expect`. */
export const expectedCallsSchema = z.lazy(() =>
  z.union([
    expectList,
    rulesSchema().superRefine((rules, context) => {
      const refuse = (message: string, ...path: string[]) =>
        context.addIssue({ code: 'custom', path, message });
      const { expect, mode = 'unordered', extra } = rules;
      if (ruleNames.every((name) => rules[name] === undefined)) refuse(`one of ${ruleNames.join(', ')}`);
      for (const name of ['mode', 'extra'] as const) {
        if (rules[name] !== undefined && expect === undefined) refuse('to stand beside `expect`', name);
      }
      if (extra !== undefined && !extraModes.has(mode)) {
        refuse(`the mode in-order or unordered beside \`extra\`: ${mode} already says it`, 'extra');
      }
      if (!groupModes.has(mode) && expect?.some((item) => typeof item === 'object' && 'together' in item)) {
        refuse('`together` only in the modes strict and in-order', 'expect');
      }
      const others = ruleNames.filter((name) => name !== 'none' && rules[name] !== undefined);
      if (rules.none !== undefined && others.length > 0)
        refuse(`no ${others.join(', ')} beside it: no tool is to be called`, 'none');
    }),
  ]),
);
export type ExpectedCalls = z.infer<typeof expectedCallsSchema>;
