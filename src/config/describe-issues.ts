import type { z } from 'zod';
import { describeValue } from '../lib/describe-value.ts';
import { expectationOf } from '../lib/expectation-of.ts';
import { meantIssues } from '../lib/meant-issues.ts';
import { didYouMean } from '../lib/nearest-name.ts';
import type { ConfigIssue } from './config-problem.ts';

/**
 * Turns what a schema found in a value into sentences: what was expected and what was found, with the nearest known
 * name for a setting or a choice that is not known.
 */
export function describeIssues(error: z.ZodError, value: unknown, schema: z.ZodType): ConfigIssue[] {
  return meantIssues(error.issues).flatMap((issue): ConfigIssue[] => {
    if (issue.code !== 'unrecognized_keys') return [describeValueIssue(issue, value)];
    const known = knownSettings(schema, issue.path);
    const list = known.length === 0 ? 'There are none here.' : `Known are ${known.join(', ')}.`;
    return issue.keys.map((key) => ({
      path: [...issue.path, key],
      message: `unknown setting.${didYouMean(key, known) || ` ${list}`}`,
      isName: true,
    }));
  });
}

function describeValueIssue(issue: z.core.$ZodIssue, value: unknown): ConfigIssue {
  const { path } = issue;
  if (issue.code === 'invalid_key') return describeNameIssue(issue);
  const expected = expectationOf(issue);
  if (expected === undefined) return { path, message: issue.message };
  const found = path.reduce<unknown>(
    (inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key],
    value,
  );
  const what = found === undefined ? 'nothing' : describeValue(found);
  const hint = typeof found === 'string' ? didYouMean(found, choicesOf(issue)) : '';
  return { path, message: `expected ${expected}, found ${what}${hint === '' ? '' : `.${hint}`}` };
}

/** What is wrong with a name that the user chose. */
function describeNameIssue({ path, issues: [first] }: z.core.$ZodIssueInvalidKey): ConfigIssue {
  const expected = first && (expectationOf(first) ?? first.message);
  const message = `expected ${expected} as the name, found ${describeValue(path.at(-1))}`;
  return { path, message, isName: true };
}

/** The texts that a choice allows. */
function choicesOf(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'invalid_union') return issue.errors.flat().flatMap(choicesOf);
  return issue.code === 'invalid_value' ? issue.values.filter((value) => typeof value === 'string') : [];
}

/** The names of settings that a schema knows at a path inside it; none where it takes any name. */
function knownSettings(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const alternatives = path.reduce<z.core.$ZodTypes[]>(
    (schemas, step) => schemas.flatMap((each) => inside(each, step)),
    shapesOf(schema),
  );
  return alternatives.flatMap(({ _zod: { def } }) => (def.type === 'object' ? Object.keys(def.shape) : []));
}

/** What is under a schema's defaults and options: one shape, or those of all alternatives. */
function shapesOf(schema: z.core.$ZodType): z.core.$ZodTypes[] {
  const known = schema as z.core.$ZodTypes;
  const { def } = known._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return shapesOf(def.innerType);
    case 'union':
      return def.options.flatMap(shapesOf);
    case 'pipe':
      return shapesOf(def.in);
    case 'lazy':
      return shapesOf(def.getter());
    default:
      return [known];
  }
}

function inside({ _zod: { def } }: z.core.$ZodTypes, step: PropertyKey): z.core.$ZodTypes[] {
  if (def.type === 'array') return shapesOf(def.element);
  if (def.type === 'record') return shapesOf(def.valueType);
  const found = def.type === 'object' && typeof step === 'string' ? def.shape[step] : undefined;
  return found === undefined ? [] : shapesOf(found);
}
