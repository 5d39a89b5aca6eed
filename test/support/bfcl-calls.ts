import type { Expected } from '../../src/core/schema/expected.ts';
import type { Json } from '../../src/core/schema/json.ts';

/**
 * A question of the Berkeley Function Calling Leaderboard: the functions that may be called, and the acceptable values
 * of each argument.
 */
export interface LeaderboardQuestion {
  readonly category: string;
  readonly functions: readonly LeaderboardFunction[];
  readonly expected_calls: readonly { readonly name: string; readonly args: Acceptable | readonly Json[] }[];
}

interface LeaderboardFunction {
  readonly name: string;
  readonly parameters: {
    readonly properties: Readonly<Record<string, Parameter | undefined>>;
    readonly required?: readonly string[];
  };
}

interface Parameter {
  readonly type: string;
  readonly items?: { readonly type?: string };
}

/** The acceptable values by argument name; an empty text among them means that the argument may be missing. */
type Acceptable = Readonly<Record<string, readonly Json[]>>;

interface LeaderboardCall {
  readonly name: string;
  readonly args: Acceptable;
}

/** Converts a question to Touchstone's expected calls. */
export function leaderboardCalls({
  category,
  functions,
  expected_calls,
}: LeaderboardQuestion): Expected['calls'] {
  if (category.endsWith('irrelevance')) return { none: true };
  if (category.endsWith('relevance')) return { must: [{ name: { $any: true } }] };
  return {
    mode: 'unordered',
    expect: expected_calls.filter(isCall).map(({ name, args }) => {
      const parameters = functions.find((candidate) => candidate.name === name)?.parameters;
      const required = parameters?.required ?? [];
      const expected = Object.entries(args).map(([key, values]): [string, Json] => {
        const choices = acceptable(values, parameters?.properties[key]);
        return [key, choose(choices, values.includes('') && !required.includes(key))];
      });
      const unlisted = required
        .filter((key) => !Object.hasOwn(args, key))
        .map((key) => [key, choose([], false)]);
      return { name, arguments: Object.fromEntries([...expected, ...unlisted]) };
    }),
  };
}

/**
 * Returns whether an entry of the ground truth is a call. Where an argument was put outside its call by mistake, the
 * checker ignores it.
 */
function isCall(call: LeaderboardQuestion['expected_calls'][number]): call is LeaderboardCall {
  return !Array.isArray(call.args);
}

/**
 * Returns the values that the checker accepts for a parameter: converted to its declared type, or literally when the
 * values have another type.
 */
function acceptable(values: readonly Json[], parameter: Parameter | undefined): Json[] {
  if (parameter === undefined) return [];
  const kind = kinds[parameter.type] ?? 'number';
  const first = values.find((value) => value !== '');
  if (first !== undefined && kindOf(first) !== kind) return values.map(literal);
  if (kind === 'object') return values.filter((value) => value !== '').map(dictionary);
  if (kind === 'string') return values.filter((value) => typeof value === 'string').map(standardized);
  if (kind !== 'list') return values.filter((value) => value !== '').map(literal);
  const item = kinds[parameter.items?.type ?? ''] === 'object' ? dictionary : standardized;
  return values.map((value) => (Array.isArray(value) ? value.map(item) : []));
}

const kinds: Readonly<Record<string, string>> = {
  string: 'string',
  any: 'string',
  boolean: 'boolean',
  array: 'list',
  tuple: 'list',
  dict: 'object',
};

function kindOf(value: Json): string {
  return Array.isArray(value) ? 'list' : typeof value;
}

/** Expects an object whose members have acceptable values of their own. */
function dictionary(value: Json): Json {
  const members = Object.entries(value as Acceptable).map(([key, values]): [string, Json] => {
    return [key, choose(values.map(standardized), values.includes(''))];
  });
  return Object.fromEntries(members);
}

/** Expects any of the choices, or a missing value when that is allowed; matches nothing when there is no choice. */
function choose(choices: readonly Json[], isOptional: boolean): Json {
  if (isOptional) return { $oneOf: [...choices, { $absent: true }] };
  return choices.length === 0
    ? { $not: { $oneOf: [{ $any: true }, { $absent: true }] } }
    : { $oneOf: [...choices] };
}

function standardized(value: Json): Json {
  return typeof value === 'string' ? { $text: value, $ignoring: ' ,./-_*^' } : literal(value);
}

function literal(value: Json): Json {
  return { $exact: value };
}
