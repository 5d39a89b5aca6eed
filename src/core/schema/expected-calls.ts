import { z } from 'zod';
import { isContainer } from '../lib/json/is-container.ts';
import { expectedValueSchema, matcherName } from './matcher.ts';
import { amount, nonEmpty } from './json.ts';

/** Builds a strict object schema whose error for unknown keys names the valid ones. */
export function strictShape<Shape extends z.ZodRawShape>(shape: Shape) {
  const keys = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? `no other keys than ${keys}` : undefined),
  });
}

/** Options for comparing the arguments of calls; they may apply to one call or to all calls of a case. */
export const comparisonShape = {
  match: z
    .enum(['exact', 'superset', 'subset'])
    .optional()
    .describe(
      'The comparison of arguments. `exact` (the default): exactly the expected ones. `superset`: the expected ones and possibly more. `subset`: only expected ones, some may be missing.',
    ),
  ignore: z
    .array(nonEmpty())
    .optional()
    .describe('Paths in the arguments that do not count, such as `session.id` or `items[*].price`.'),
  tolerance: amount()
    .optional()
    .describe('Largest difference of a number from the expected one; 0 by default.'),
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
        min: count.optional().describe('Least number of calls; 0 by default.'),
        max: count.optional().describe('Greatest number of calls; no limit by default.'),
      }).refine(({ min = 0, max = Number.POSITIVE_INFINITY }) => min <= max, {
        message: 'a `max` that is at least `min`',
      }),
    ])
    .describe('Number of calls: exact, or a least and a greatest one.'),
);

const matchedName = expectedValueSchema.refine(
  (value) => isContainer(value) && matcherName(value) !== undefined,
  { message: 'a name, or a matcher such as { "$oneOf": ["a", "b"] }', abort: true },
);

/** The conditions on a tool call besides its name. */
const conditionsShape = {
  arguments: expectedValueSchema
    .optional()
    .describe(
      'Expected arguments: values and matchers (see `docs/tool-calls.md`). Any arguments by default.',
    ),
  ...comparisonShape,
  status: z
    .enum(['ok', 'failed', 'retried'])
    .optional()
    .describe(
      'Status of the call. `retried`: it failed, and a later call of the same tool did not. Any status by default.',
    ),
};

const patternShape = {
  name: z.union([nonEmpty(), matchedName]).describe('The name of the tool, or a matcher for names.'),
  ...conditionsShape,
};

const toolName = nonEmpty();

/** A pattern for tool calls: the name of the tool, or an object with conditions. */
export const callPatternSchema = z.lazy(() => z.union([toolName, strictShape(patternShape)]));
export type CallPattern = z.infer<typeof callPatternSchema>;

/** A pattern for tool calls with the expected number of such calls. */
const countedCallSchema = z.lazy(() =>
  z.union([toolName, strictShape({ ...patternShape, times: timesSchema.optional() })]),
);
export type CountedCall = z.infer<typeof countedCallSchema>;

/** A tool that the target should use: its name, or an object with the name and conditions. */
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
      .describe('Calls made in one message, in any order. Only in the modes `strict` and `in-order`.'),
  }),
);

const expectItemSchema = z.union([countedCallSchema, groupSchema]);
export type ExpectItem = z.infer<typeof expectItemSchema>;

const expectList = z.array(expectItemSchema);

const patternList = z.union([callPatternSchema, z.array(callPatternSchema).min(1)]);

const orderRuleSchema = z.lazy(() =>
  strictShape({
    call: callPatternSchema.describe(
      'The rule applies to every matching call; it passes when there is none.',
    ),
    after: patternList.optional().describe('A call matching each of these must come earlier.'),
    before: patternList.optional().describe('A call matching each of these must come later.'),
  }).refine(({ after, before }) => after !== undefined || before !== undefined, {
    message: '`after` or `before` together with `call`',
  }),
);
export type OrderRule = z.infer<typeof orderRuleSchema>;

/** The ways to compare a list of expected calls with the actual calls. */
export const callModeSchema = z.enum(['strict', 'in-order', 'unordered', 'subset', 'superset']);
export type CallMode = z.infer<typeof callModeSchema>;

const rulesSchema = () =>
  strictShape({
    expect: expectList.optional().describe('The calls to make, each once unless `times` says otherwise.'),
    mode: callModeSchema
      .optional()
      .describe(
        'The meaning of `expect`. `unordered` (the default): exactly these calls. `strict`: exactly these, in this order. `in-order`: in this order, with others in between allowed. `superset`: these and possibly others. `subset`: only these, some may be missing.',
      ),
    extra: z
      .boolean()
      .optional()
      .describe(
        'True when calls besides the ones in `expect` are allowed. Only for the modes `in-order` (default true) and `unordered` (default false).',
      ),
    must: z
      .array(countedCallSchema)
      .min(1)
      .optional()
      .describe('Calls to make at least once, or as often as `times` requires; others do not matter.'),
    mustNot: z.array(callPatternSchema).min(1).optional().describe('Calls that must not be made.'),
    only: z
      .array(callPatternSchema)
      .min(1)
      .optional()
      .describe('Patterns of which every call must match one.'),
    none: z.literal(true).optional().describe('No tool may be called at all.'),
    order: z.array(orderRuleSchema).min(1).optional().describe('Rules for the order of calls.'),
    failures: z
      .enum(['none', 'retried', 'dealt-with'])
      .optional()
      .describe(
        'The rule for failed calls. `none`: no call may fail. `retried`: a later call of the same tool must succeed. `dealt-with`: that, or the answer informs the user.',
      ),
    ...comparisonShape,
  });
export type CallRules = z.infer<ReturnType<typeof rulesSchema>>;

const ruleNames = ['expect', 'must', 'mustNot', 'only', 'none', 'order', 'failures'] as const;

const extraModes: ReadonlySet<CallMode> = new Set(['in-order', 'unordered']);
const groupModes: ReadonlySet<CallMode> = new Set(['strict', 'in-order']);

/**
 * The expectations for the tool calls of a conversation: rules that must all be met; a list is short for `expect`.
 */
export const expectedCallsSchema = z.lazy(() =>
  z.union([
    expectList,
    rulesSchema().superRefine((rules, context) => {
      const refuse = (message: string, ...path: string[]) =>
        context.addIssue({ code: 'custom', path, message });
      const { expect, mode = 'unordered', extra } = rules;
      if (ruleNames.every((name) => rules[name] === undefined)) refuse(`one of ${ruleNames.join(', ')}`);
      for (const name of ['mode', 'extra'] as const) {
        if (rules[name] !== undefined && expect === undefined) refuse('to come with `expect`', name);
      }
      if (extra !== undefined && !extraModes.has(mode)) {
        refuse(`the mode in-order or unordered with \`extra\`: ${mode} already says it`, 'extra');
      }
      if (!groupModes.has(mode) && expect?.some((item) => typeof item === 'object' && 'together' in item)) {
        refuse('`together` only in the modes strict and in-order', 'expect');
      }
      const others = ruleNames.filter((name) => name !== 'none' && rules[name] !== undefined);
      if (rules.none !== undefined && others.length > 0)
        refuse(`no ${others.join(', ')} with it: no tool is to be called`, 'none');
    }),
  ]),
);

/** The option by which names of tools are compared without their prefixes. */
export const stripPrefixOption = z
  .union([z.boolean(), z.array(nonEmpty()).min(1)])
  .optional()
  .describe(
    'Compares the names of called tools without their prefix, as questions state them: `true` for the prefixes of servers and namespaces ' +
      '(`mcp__shop__lookup`, `shop__lookup`, `functions.lookup`, `shop/lookup`, `shop:lookup` are `lookup`), or a list of prefixes.',
  );

/** The prefixes of tools that are removed from their names; undefined for none. */
export type StripPrefix = z.output<typeof stripPrefixOption>;

/** Returns the names by which a called tool is known: its own, and the one without its prefix. */
export function namesOfTool(name: string, stripPrefix: StripPrefix): readonly string[] {
  const plain = plainToolName(name, stripPrefix);
  return plain === name ? [name] : [plain, name];
}

/** Returns a name of a tool without its prefix, as `stripPrefix` says. */
export function plainToolName(name: string, stripPrefix: StripPrefix): string {
  if (stripPrefix === undefined || stripPrefix === false) return name;
  if (stripPrefix === true) return /^.*(?:__|[./:])(?<tool>[^./:]+)$/s.exec(name)?.groups?.['tool'] ?? name;
  const prefix = stripPrefix.find((each) => name.startsWith(each) && name.length > each.length);
  return prefix === undefined ? name : name.slice(prefix.length);
}
