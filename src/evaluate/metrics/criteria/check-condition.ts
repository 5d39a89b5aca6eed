import { z } from 'zod';
import { isContainer } from '../../../core/lib/json/is-container.ts';
import { lazily } from '../../../core/lib/lazily.ts';
import { readInstant } from '../../../core/lib/numbers/read-instant.ts';
import { didYouMean } from '../../../core/lib/text/nearest-name.ts';
import { stripPrefixOption } from '../../../core/schema/expected-calls.ts';
import { amount, jsonSchema, nonEmpty } from '../../../core/schema/json.ts';
import { expectedValueSchema } from '../../../core/schema/matcher.ts';
import { recordPathSchema } from './record-view.ts';

/** A condition on a trial as it is written in a config: a comparison, or several conditions joined. */
export interface Condition extends Readonly<z.output<ReturnType<typeof leafSchema>>> {
  readonly all?: readonly Condition[];
  readonly any?: readonly Condition[];
  readonly not?: Condition;
  readonly when?: Condition;
  readonly must?: Condition;
  readonly otherwise?: Condition;
}

/** The schema of a condition, which is also the options of the metric `check`. */
export const conditionSchema = lazily(() =>
  leafSchema()
    .extend({
      all: z
        .array(innerSchema)
        .min(1)
        .optional()
        .describe('In place of a comparison: all of these conditions are true.'),
      any: z.array(innerSchema).min(1).optional().describe('At least one of these conditions is true.'),
      not: innerSchema.optional().describe('This condition is false.'),
      when: innerSchema
        .optional()
        .describe(
          'When this condition is true, `must` must be true; when it is false, `otherwise`, if present.',
        ),
      must: innerSchema.optional().describe('The condition that must be true when `when` is true.'),
      otherwise: innerSchema.optional().describe('The condition that must be true when `when` is false.'),
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

/** A condition inside another. The JSON Schema of the outer one does not repeat it, or it would be infinite. */
const innerSchema: z.ZodType<Condition> = z
  .any()
  .superRefine((value, context) => {
    for (const issue of conditionSchema().safeParse(value).error?.issues ?? []) {
      context.addIssue(issue.code === 'unrecognized_keys' ? describeUnknownKey(issue) : { ...issue });
    }
  })
  .meta({ type: 'object' });

const subjects = ['path', 'messages', 'calls'] as const;
const connectives = ['all', 'any', 'not', 'when'] as const;

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

/** Returns why parts that are valid by themselves do not form a condition; undefined when they do. */
function findShapeFault(condition: Readonly<Record<string, unknown>>): string | undefined {
  const has = (part: string) => condition[part] !== undefined;
  const [kind, other] = [...subjects, ...connectives].filter(has);
  if (kind === undefined) {
    return 'needs something to look at: `path`, `messages` or `calls`; or `all`, `any`, `not`, `when`';
  }
  if (other !== undefined) {
    return `has both \`${kind}\` and \`${other}\`; join two conditions with \`all\` or \`any\``;
  }
  return findBranchFault(has) ?? findStrayPart(kind, condition);
}

type Has = (part: string) => boolean;

function findBranchFault(has: Has): string | undefined {
  if (has('when') !== has('must')) return '`when` and `must` go together';
  return has('otherwise') && !has('when') ? '`otherwise` goes with `when` and `must`' : undefined;
}

function findStrayPart(kind: string, condition: Readonly<Record<string, unknown>>): string | undefined {
  const has = (part: string) => condition[part] !== undefined;
  const isListed = kind === 'messages' || kind === 'calls';
  if (!isListed && (has('which') || has('at'))) return '`which` and `at` go with `messages` or `calls`';
  if (kind !== 'calls' && has('stripPrefix')) return '`stripPrefix` goes with `calls`';
  const compared = comparisons.find(has);
  if (compared !== undefined && connectives.some((connective) => connective === kind)) {
    return `\`${compared}\` needs a \`path\`, \`messages\` or \`calls\` to look at`;
  }
  if (condition['as'] === 'instant') return findInstantFault(condition);
  const isByValue = ['equals', 'matches', 'contains'].some(has);
  if (isByValue || !(has('as') || has('tolerance'))) return undefined;
  return '`as` and `tolerance` go with `equals`, `matches` or `contains`';
}

function findInstantFault({
  equals,
  matches,
  contains,
}: Readonly<Record<string, unknown>>): string | undefined {
  if (contains !== undefined || (equals ?? matches) === undefined)
    return '`as: instant` goes with `equals` or `matches`';
  const wrong = [equals, matches]
    .flat()
    .find((value) => typeof value === 'string' && readInstant(value) === undefined);
  if (wrong === undefined) return undefined;
  const said = JSON.stringify(wrong);
  return `\`as: instant\` needs a date and time of ISO 8601, such as "2025-03-01T10:00:00Z", not ${said}`;
}

/** A reference to a value in the case or the trial, with the value to use when there is none. */
const referenceSchema = z.strictObject({ path: recordPathSchema, default: jsonSchema.optional() });
export type Reference = z.output<typeof referenceSchema>;

/** Returns whether an operand is a reference into the case or the trial, and not the value itself. */
export function isReference(value: unknown): value is Reference {
  if (!isContainer(value) || Array.isArray(value)) return false;
  return 'path' in value && Object.keys(value).every((key) => key === 'path' || key === 'default');
}

/**
 * Returns the schema of a value of some kind, or of a reference to one. The JSON Schema does not repeat the members of
 * a reference at every place where one can stand.
 */
function orReference<Value extends z.ZodType>(schema: Value, kind: string) {
  const reference: z.ZodType<Reference> = z
    .any()
    .superRefine((value, context) => {
      if (!isReference(value)) {
        const message = `must be ${kind}, or where to find one: \`{ path: expected.state.time }\``;
        context.addIssue({ code: 'custom', message });
        return;
      }
      for (const issue of referenceSchema.safeParse(value).error?.issues ?? [])
        context.addIssue({ ...issue });
    })
    .meta({ type: 'object' });
  return z.union([schema, reference]);
}

/** Any value, which may contain matchers, or a reference. */
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

/** A list of values or a reference. */
const listOperand = orReference(z.array(jsonSchema).min(1), 'a list of values');

/** The flags of all regular expressions here: ignoring case, by whole characters. */
export const patternFlags = 'iu';

/** A regular expression. */
const patternOperand = nonEmpty().superRefine((pattern, context) => {
  try {
    new RegExp(pattern, patternFlags);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
  }
});

/** The value to look at, and what must be true of it. */
const leafSchema = lazily(() =>
  z.strictObject({
    path: recordPathSchema
      .optional()
      .describe(
        'Path to the value: `state.booking.time`, `answer`, `expected.state`, `metadata.user`; anything in `case` and `trial`.',
      ),
    messages: z
      .enum(['any', 'system', 'user', 'assistant', 'tool'])
      .optional()
      .describe('In place of `path`: the texts of the conversation by this role.'),
    calls: nonEmpty()
      .optional()
      .describe('In place of `path`: the calls of a tool, by its name; `*` for the calls of all tools.'),
    stripPrefix: stripPrefixOption,
    which: z
      .enum(['any', 'every', 'first', 'last', 'count'])
      .optional()
      .describe(
        'The messages or calls to look at: any one of them (the default), every one, the first, the last; or `count` for their number.',
      ),
    at: nonEmpty()
      .optional()
      .describe(
        'Path inside it: `arguments.time`, `result.id`, `error`. When absent: the text of a message, the whole call.',
      ),
    equals: valueOperand
      .optional()
      .describe(
        'It is this value, which may contain matchers such as `{ $near: 5, $tolerance: 1 }`; or the value at `{ path: expected.state.time }`, with a `default` for when there is none.',
      ),
    matches: valueOperand
      .optional()
      .describe('It contains this and may contain more; written like `equals`.'),
    as: z
      .enum(['set', 'unordered', 'text', 'instant'])
      .optional()
      .describe(
        'How `equals`, `matches` and `contains` compare: lists as sets, lists in any order, texts without letter case, punctuation and white space; or `equals` and `matches` as instants: `2025-03-01T10:00:00Z` is `2025-03-01T12:00:00+02:00`.',
      ),
    tolerance: amount().optional().describe('Largest allowed distance of numbers in `equals` and `matches`.'),
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
      .describe(
        'True: there is a value other than null (the comparison made when no other is given). False: there is none.',
      ),
    truthy: z
      .boolean()
      .optional()
      .describe(
        'True: it is something other than false, 0, null, missing or an empty text, list or object. False: it is one of these.',
      ),
    atLeast: numberOperand.optional().describe('It is a number, and not less.'),
    atMost: numberOperand.optional().describe('It is a number, and not more.'),
    more: numberOperand.optional().describe('It is a number, and more.'),
    less: numberOperand.optional().describe('It is a number, and less.'),
    length: numberOperand
      .optional()
      .describe('It has this many characters, items or members; a missing value has 0.'),
    longerThan: numberOperand.optional().describe('It has more characters, items or members.'),
  }),
);
