import { z } from 'zod';
import { lazily } from '../../lib/lazily.ts';
import { didYouMean } from '../../lib/text/nearest-name.ts';
import { jsonSchema } from '../../schema/json.ts';
import { expectedValueSchema } from '../../schema/matcher.ts';
import { recordPathSchema } from './record-view.ts';

const subjects = ['path', 'messages', 'calls'] as const;
const joints = ['all', 'any', 'not', 'when'] as const;

/** The comparisons that a condition can make. */
export const comparisons = [
  'equals',
  'matches',
  'oneOf',
  'contains',
  'regex',
  'exists',
  'truthy',
  'atLeast',
  'atMost',
  'more',
  'less',
  'length',
  'longerThan',
] as const;
export type Comparison = (typeof comparisons)[number];

/** What makes a condition no condition, though each of its parts may be right; undefined when it is one. */
function findShapeFault(condition: Readonly<Record<string, unknown>>): string | undefined {
  const has = (part: string) => condition[part] !== undefined;
  const [kind, other] = [...subjects, ...joints].filter(has);
  if (kind === undefined) {
    return 'needs something to look at: `path`, `messages` or `calls`; or `all`, `any`, `not`, `when`';
  }
  if (other !== undefined) {
    return `has both \`${kind}\` and \`${other}\`; join two conditions with \`all\` or \`any\``;
  }
  return findBranchFault(has) ?? findStrayPart(kind, has);
}

type Has = (part: string) => boolean;

function findBranchFault(has: Has): string | undefined {
  if (has('when') !== has('must')) return '`when` and `must` go together';
  return has('otherwise') && !has('when') ? '`otherwise` goes with `when` and `must`' : undefined;
}

function findStrayPart(kind: string, has: Has): string | undefined {
  const isListed = kind === 'messages' || kind === 'calls';
  if (!isListed && (has('which') || has('at'))) return '`which` and `at` go with `messages` or `calls`';
  const compared = comparisons.find(has);
  if (compared !== undefined && joints.some((joint) => joint === kind)) {
    return `\`${compared}\` needs a \`path\`, \`messages\` or \`calls\` to look at`;
  }
  const isByValue = ['equals', 'matches', 'contains'].some(has);
  if (isByValue || !(has('as') || has('tolerance'))) return undefined;
  return '`as` and `tolerance` go with `equals`, `matches` or `contains`';
}

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
const valueOperand = jsonSchema.superRefine((value, context) => {
  if (isReference(value)) {
    for (const issue of referenceSchema.safeParse(value).error?.issues ?? []) context.addIssue({ ...issue });
    return;
  }
  for (const issue of expectedValueSchema.safeParse(value).error?.issues ?? []) {
    context.addIssue({ ...issue, message: `expected ${issue.message}` });
  }
});

/** A number or a reference. */
const numberOperand = orReference(z.number(), 'a number');

/** A list of values, or a reference. */
const listOperand = orReference(z.array(jsonSchema).min(1), 'a list of values');

/** How regular expressions are read: ignoring case, by whole characters. */
export const patternFlags = 'iu';

/** A regular expression. */
const patternOperand = z
  .string()
  .min(1)
  .superRefine((pattern, context) => {
    try {
      new RegExp(pattern, patternFlags);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
    }
  });

/** What is looked at, and what must be true of it. */
const leafSchema = lazily(() =>
  z.strictObject({
    path: recordPathSchema
      .optional()
      .describe(
        'What is looked at: `state.booking.time`, `answer`, `expected.state`, `metadata.user`; anything that `case` and `trial` hold.',
      ),
    messages: z
      .enum(['any', 'system', 'user', 'assistant', 'tool'])
      .optional()
      .describe('In place of `path`: what is said in the conversation, by whom.'),
    calls: z
      .string()
      .min(1)
      .optional()
      .describe('In place of `path`: the calls of a tool, by its name; `*` for those of all tools.'),
    which: z
      .enum(['any', 'every', 'first', 'last', 'count'])
      .optional()
      .describe(
        'Which of the messages or calls: any one of them (the default), every, the first, the last; or how many there are.',
      ),
    at: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Where to look inside it: `arguments.time`, `result.id`, `error`. Without it, the text of a message, the whole call.',
      ),
    equals: valueOperand
      .optional()
      .describe(
        'It is this value, in which matchers such as `{ $near: 5, $tolerance: 1 }` may stand; or that at `{ path: expected.state.time }`, with a `default` for when there is none.',
      ),
    matches: valueOperand.optional().describe('It holds this, and may hold more; written like `equals`.'),
    as: z
      .enum(['set', 'unordered', 'text'])
      .optional()
      .describe(
        'How `equals`, `matches` and `contains` compare: lists as sets, lists in any order, texts without letter case, punctuation and white space.',
      ),
    tolerance: z
      .number()
      .nonnegative()
      .optional()
      .describe('How far numbers may be off in `equals` and `matches`.'),
    oneOf: listOperand.optional().describe('It is one of these values.'),
    contains: valueOperand
      .optional()
      .describe('It is a text with this text in it, or a list with this item.'),
    regex: patternOperand
      .optional()
      .describe('A JavaScript regular expression matches the text, ignoring case.'),
    exists: z
      .boolean()
      .optional()
      .describe('Whether there is something, other than null. What is asked when nothing else is.'),
    truthy: z
      .boolean()
      .optional()
      .describe(
        'Whether it is something other than false, 0, null, missing and an empty text, list or object.',
      ),
    atLeast: numberOperand.optional().describe('It is a number, and not less.'),
    atMost: numberOperand.optional().describe('It is a number, and not more.'),
    more: numberOperand.optional().describe('It is a number, and more.'),
    less: numberOperand.optional().describe('It is a number, and less.'),
    length: numberOperand
      .optional()
      .describe('It has so many characters, items or members; nothing has none.'),
    longerThan: numberOperand.optional().describe('It has more characters, items or members.'),
  }),
);

/** A condition on a trial, as it is written: a comparison, or others joined. */
export interface Condition extends Readonly<z.output<ReturnType<typeof leafSchema>>> {
  readonly all?: readonly Condition[] | undefined;
  readonly any?: readonly Condition[] | undefined;
  readonly not?: Condition | undefined;
  readonly when?: Condition | undefined;
  readonly must?: Condition | undefined;
  readonly otherwise?: Condition | undefined;
}

/** A condition inside another. The schema of the outer one does not spell it out: it would have no end. */
const innerSchema: z.ZodType<Condition> = z
  .any()
  .superRefine((value, context) => {
    for (const issue of conditionSchema().safeParse(value).error?.issues ?? []) {
      context.addIssue(issue.code === 'unrecognized_keys' ? describeUnknownKey(issue) : { ...issue });
    }
  })
  .meta({ type: 'object' });

/** The options of the metric `check`. */
export const conditionSchema = lazily(() =>
  leafSchema()
    .extend({
      all: z.array(innerSchema).min(1).optional().describe('In place of a comparison: all of these hold.'),
      any: z.array(innerSchema).min(1).optional().describe('At least one of these holds.'),
      not: innerSchema.optional().describe('This does not hold.'),
      when: innerSchema
        .optional()
        .describe('When this holds, so must `must`; when not, `otherwise`, where there is one.'),
      must: innerSchema.optional().describe('What must hold when `when` does.'),
      otherwise: innerSchema.optional().describe('What must hold when `when` does not.'),
    })
    .superRefine((condition, context) => {
      const fault = findShapeFault({ ...condition });
      if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
    }),
);

function describeUnknownKey({ keys, path }: z.core.$ZodIssueUnrecognizedKeys): z.core.$ZodRawIssue {
  const [key = ''] = keys;
  const known = Object.keys(conditionSchema().shape);
  const hint = didYouMean(key, known) || ` Known are ${known.join(', ')}.`;
  return { code: 'custom', path: [...path, key], message: `unknown setting.${hint}`, input: key };
}
