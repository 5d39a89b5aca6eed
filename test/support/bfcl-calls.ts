import type { ExpectedCalls } from '../../src/schema/expected-calls.ts';
import type { Json } from '../../src/schema/json.ts';

/** A question of the Berkeley Function Calling Leaderboard: what may be called, and the acceptable values of each argument. */
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

/** For each name the acceptable values; an empty text among them says that the name may be left out. */
type Acceptable = Readonly<Record<string, readonly Json[]>>;

interface LeaderboardCall {
  readonly name: string;
  readonly args: Acceptable;
}

/** The same expectation in our language. */
export function leaderboardCalls({
  category,
  functions,
  expected_calls,
}: LeaderboardQuestion): ExpectedCalls {
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

/** Where an argument slipped out of its call in the ground truth, the checker does not see it. */
function isCall(call: LeaderboardQuestion['expected_calls'][number]): call is LeaderboardCall {
  return !Array.isArray(call.args);
}

/** What the checker accepts for a parameter: by its declared type, or literally where the values are of another type. */
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

/** An object whose members have acceptable values of their own. */
function dictionary(value: Json): Json {
  const members = Object.entries(value as Acceptable).map(([key, values]): [string, Json] => {
    return [key, choose(values.map(standardized), values.includes(''))];
  });
  return Object.fromEntries(members);
}

/** Any of the choices, or nothing where that is allowed; what no value is when there is no choice. */
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
