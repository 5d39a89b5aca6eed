import { z } from 'zod';
import { isContainer } from '../lib/json/is-container.ts';
import { readInstant } from '../lib/numbers/read-instant.ts';
import { type Json, amount, jsonSchema, nonEmpty, numberSchema } from './json.ts';

const tolerance = amount();

/**
 * The matchers by their first key: objects with `$`-keys that, in place of an expected value, match many values.
 * `docs/tool-calls.md` describes what they match.
 */
export const matcherSchemas = {
  $near: z.lazy(() =>
    z
      .strictObject({
        $near: numberSchema,
        $tolerance: tolerance.optional(),
        $relative: tolerance.optional(),
      })
      .refine(({ $tolerance, $relative }) => $tolerance !== undefined || $relative !== undefined, {
        message: '$tolerance or $relative together with $near',
      }),
  ),
  $text: z.lazy(() => z.strictObject({ $text: z.string(), $ignoring: z.string().optional() })),
  $regex: z.lazy(() =>
    z
      .strictObject({ $regex: nonEmpty(), $flags: z.string().optional() })
      .superRefine(({ $regex, $flags }, context) => {
        const problem = regexProblem($regex, $flags);
        if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
      }),
  ),
  $instant: z.lazy(() =>
    z.strictObject({ $instant: z.string() }).refine(({ $instant }) => readInstant($instant) !== undefined, {
      message: 'a date and time of ISO 8601 as $instant, such as "2025-03-01T10:00:00Z"',
    }),
  ),
  $oneOf: z.lazy(() => z.strictObject({ $oneOf: z.array(jsonSchema).min(1) })),
  $set: z.lazy(() => z.strictObject({ $set: z.array(jsonSchema) })),
  $unordered: z.lazy(() => z.strictObject({ $unordered: z.array(jsonSchema) })),
  $includes: z.lazy(() => z.strictObject({ $includes: z.array(jsonSchema).min(1) })),
  $not: z.lazy(() => z.strictObject({ $not: jsonSchema })),
  $schema: z.lazy(() =>
    z.strictObject({ $schema: z.union([z.record(z.string(), jsonSchema), z.boolean()]) }),
  ),
  $any: z.lazy(() => z.strictObject({ $any: z.literal(true) })),
  $absent: z.lazy(() => z.strictObject({ $absent: z.literal(true) })),
  $exact: z.lazy(() => z.strictObject({ $exact: jsonSchema })),
};

/** The first key of a matcher, which names it. */
export type MatcherName = keyof typeof matcherSchemas;

/** A matcher as a dataset contains it. */
export type MatcherOf<Name extends MatcherName> = z.output<(typeof matcherSchemas)[Name]>;

/**
 * Returns the matcher that an object is meant to be; undefined for an object that is meant literally, in which no key
 * begins with `$`.
 */
export function matcherName(value: object): MatcherName | 'unknown' | undefined {
  const keys = Object.keys(value);
  if (!keys.some((key) => key.startsWith('$'))) return undefined;
  return keys.find((key): key is MatcherName => Object.hasOwn(matcherSchemas, key)) ?? 'unknown';
}

/**
 * The fault of a matcher: what was expected in its place, as a phrase that follows "expected", and the path to it.
 */
export interface MatcherFault {
  readonly path: (string | number)[];
  readonly message: string;
}

/** Finds the first matcher inside an expected value that cannot be used; returns undefined when all can. */
export function findMatcherFault(expected: Json, path: (string | number)[] = []): MatcherFault | undefined {
  if (!isContainer(expected)) return undefined;
  const name = Array.isArray(expected) ? undefined : matcherName(expected);
  if (name !== undefined) return faultOfMatcher(expected as MatcherObject, name, path);
  for (const [key, value] of Object.entries(expected)) {
    const fault = findMatcherFault(value, [...path, Array.isArray(expected) ? Number(key) : key]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

type MatcherObject = Readonly<Record<string, Json>>;

/** The matchers that contain expected values, which may be matchers themselves. */
const holders: ReadonlySet<string> = new Set(['$oneOf', '$set', '$unordered', '$includes', '$not']);

function faultOfMatcher(
  matcher: MatcherObject,
  name: MatcherName | 'unknown',
  path: (string | number)[],
): MatcherFault | undefined {
  if (name === 'unknown') {
    const key = Object.keys(matcher).find((candidate) => candidate.startsWith('$'));
    return {
      path,
      message: `a matcher, and ${key} is none: they are ${Object.keys(matcherSchemas).join(', ')}`,
    };
  }
  const [issue] = matcherSchemas[name].safeParse(matcher).error?.issues ?? [];
  if (issue !== undefined) return { path, message: describeIssue(issue, name) };
  return holders.has(name) ? findMatcherFault(matcher[name] as Json, [...path, name]) : undefined;
}

function describeIssue(issue: z.core.$ZodIssue, name: MatcherName): string {
  if (issue.code === 'custom') return issue.message;
  if (issue.code === 'unrecognized_keys') return `no ${issue.keys.join(', ')} with ${name}`;
  return `a matcher such as ${examples[name]}`;
}

const examples: Readonly<Record<MatcherName, string>> = {
  $near: '{ "$near": 5, "$tolerance": 0.1 }',
  $text: '{ "$text": "Main Street 5" }',
  $regex: '{ "$regex": "^[A-Z]+$" }',
  $instant: '{ "$instant": "2025-03-01T10:00:00Z" }',
  $oneOf: '{ "$oneOf": ["red", "blue"] }',
  $set: '{ "$set": ["red", "blue"] }',
  $unordered: '{ "$unordered": ["red", "blue"] }',
  $includes: '{ "$includes": ["red"] }',
  $not: '{ "$not": "red" }',
  $schema: '{ "$schema": { "type": "integer" } }',
  $any: '{ "$any": true }',
  $absent: '{ "$absent": true }',
  $exact: '{ "$exact": { "$any": true } }',
};

function regexProblem(pattern: string, flags = ''): string | undefined {
  if (!/^[imsuv]*$/.test(flags)) return '$flags of i, m, s, u and v alone';
  try {
    new RegExp(pattern, flags);
    return undefined;
  } catch (error) {
    return `a regular expression (${(error as Error).message})`;
  }
}

/** A JSON value in which objects with `$`-keys are matchers; an unusable matcher is an issue at its place. */
export const expectedValueSchema = jsonSchema.superRefine((value, context) => {
  const fault = findMatcherFault(value);
  if (fault !== undefined) context.addIssue({ code: 'custom', ...fault });
});
