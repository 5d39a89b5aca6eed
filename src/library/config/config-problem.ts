import type { z } from 'zod';
import { type ErrorCode, TouchstoneError } from '../../core/errors.ts';
import { describeExpectation, resolveUnionIssues } from '../../core/lib/schema-issues.ts';
import { describeValue } from '../../core/lib/text/describe-value.ts';
import { didYouMean } from '../../core/lib/text/nearest-name.ts';

/** One problem in a configuration, with its place. */
export interface ConfigIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** True when the name of the setting is wrong, not its value. */
  readonly isName?: boolean;
}

/** The error code, the remedy and the cause of a problem, when they differ from the defaults. */
export interface ConfigProblemOptions {
  readonly code?: ErrorCode;
  readonly remedy?: string;
  readonly cause?: unknown;
}

/** An error with the problems of a configuration. `explainProblems` turns it into a message with files and lines. */
export class ConfigProblem extends Error {
  readonly issues: readonly ConfigIssue[];
  readonly code: ErrorCode;
  readonly remedy: string | undefined;

  constructor(issues: readonly ConfigIssue[], options: ConfigProblemOptions = {}) {
    super('the configuration cannot be used', { cause: options.cause });
    this.issues = issues;
    this.code = options.code ?? 'config-invalid';
    this.remedy = options.remedy;
  }
}

/**
 * Describes the issues that a schema found in a value: what was expected and what was found, with the nearest known name
 * for an unknown setting or choice.
 */
export function describeIssues(error: z.ZodError, value: unknown, schema: z.ZodType): ConfigIssue[] {
  const issues = resolveUnionIssues(error.issues);
  const written = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? unknownIn(issue, schema) : [],
  );
  // A setting under another name is not missing as well.
  const isElsewhere = ({ path }: z.core.$ZodIssue) =>
    valueAt(path, value) === undefined &&
    written.some(
      (other) =>
        formatSetting(other.path.slice(0, -1)) === formatSetting(path.slice(0, -1)) &&
        isCalled(String(path.at(-1)), String(other.path.at(-1))),
    );
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return unknownIn(issue, schema);
    return isElsewhere(issue) ? [] : [describeValueIssue(issue, value)];
  });
}

function unknownIn({ path, keys }: z.core.$ZodIssueUnrecognizedKeys, schema: z.ZodType): ConfigIssue[] {
  const known = knownSettings(schema, path);
  return keys.map((key) => ({ path: [...path, key], message: describeUnknown(key, known), isName: true }));
}

/** Names by which other tools, or people, call a setting. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  attempts: ['repeat', 'repeats', 'runs', 'trials', 'epochs', 'samples', 'n'],
  body: ['payload', 'request', 'data', 'json', 'params'],
  command: ['cmd', 'exec', 'run', 'script', 'program'],
  concurrency: ['parallel', 'parallelism', 'max_concurrency', 'threads'],
  dataset: ['tests', 'cases', 'questions', 'testset', 'test_cases', 'examples', 'samples', 'goldens', 'data'],
  gate: ['threshold', 'fail_under', 'thresholds', 'criteria'],
  headers: ['auth', 'authorization', 'header'],
  judge: ['grader', 'evaluator_model', 'judge_model', 'llm'],
  metrics: ['assert', 'assertions', 'asserts', 'evaluators', 'evals', 'scorers', 'checks', 'graders'],
  name: ['label', 'title', 'id', 'display_name'],
  path: ['file', 'module', 'entry', 'script', 'function'],
  targets: [
    'target',
    'bot',
    'bots',
    'providers',
    'provider',
    'models',
    'model',
    'endpoint',
    'endpoints',
    'agent',
  ],
  timeLimitMs: ['timeout', 'timeout_ms', 'time_limit'],
  url: ['endpoint', 'uri', 'address', 'base_url', 'host'],
  use: ['type', 'kind', 'provider'],
};

/** Says that a setting is unknown, and which is meant, or which there are. */
export function describeUnknown(key: string, known: readonly string[]): string {
  if (known.length === 0) return 'unknown setting. No settings are allowed here.';
  const meant = known.find((setting) => isCalled(setting, key));
  const nearest = meant === undefined ? didYouMean(key, known) : ` Here it is called "${meant}".`;
  return `unknown setting.${nearest || ` Known are ${known.join(', ')}.`}`;
}

/** Returns whether other tools, or people, give a setting this name. */
function isCalled(setting: string, name: string): boolean {
  const said = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
  return otherNames[setting]?.includes(said) === true;
}

/** The most choices that a message lists. */
const mostListed = 12;

function describeValueIssue(issue: z.core.$ZodIssue, value: unknown): ConfigIssue {
  const { path } = issue;
  if (issue.code === 'invalid_key') return describeNameIssue(issue);
  const expected = describeExpectation(issue);
  if (expected === undefined) return { path, message: issue.message };
  const found = valueAt(path, value);
  const what = found === undefined ? 'nothing' : describeValue(found);
  const choices = choicesOf(issue);
  const hint = typeof found === 'string' ? didYouMean(found, choices) : '';
  if (typeof found === 'string' && choices.length > mostListed) {
    const advice = hint === '' ? ` Among them are ${choices.slice(0, mostListed).join(', ')}.` : hint;
    return { path, message: `${what} is none of the ${choices.length} known names.${advice}` };
  }
  const advice = hint || (expected === 'a list' ? adviseList(path.at(-1), found) : adviseName(path, value));
  return { path, message: `expected ${expected}, found ${what}${advice === '' ? '' : `.${advice}`}` };
}

function valueAt(path: readonly PropertyKey[], value: unknown): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key],
    value,
  );
}

/** Says which missing setting is there under another name. */
function adviseName(path: readonly PropertyKey[], value: unknown): string {
  const setting = String(path.at(-1) ?? '');
  if (valueAt(path, value) !== undefined) return '';
  const given = Object.keys(Object(valueAt(path.slice(0, -1), value)) as object);
  const other = given.find((name) => isCalled(setting, name));
  return other === undefined ? '' : ` "${other}" is called "${setting}" here.`;
}

/** Shows how a list is written where there is one entry in its place, or entries by their names. */
function adviseList(setting: PropertyKey | undefined, found: unknown): string {
  if (typeof setting !== 'string' || typeof found !== 'object' || found === null) return '';
  if ('use' in found) return ` Put it into a list: \`${setting}: [{ use: … }]\`.`;
  const [name] = Object.keys(found);
  return name === undefined
    ? ''
    : ` Give each entry its name and put them into a list: \`${setting}: [{ name: ${name}, use: … }]\`.`;
}

/** Describes an issue with a name that the user chose. */
function describeNameIssue({ path, issues: [first] }: z.core.$ZodIssueInvalidKey): ConfigIssue {
  const expected = first && (describeExpectation(first) ?? first.message);
  const message = `expected ${expected} as the name, found ${describeValue(path.at(-1))}`;
  return { path, message, isName: true };
}

/** Returns the texts that a choice allows. */
function choicesOf(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'invalid_union') return issue.errors.flat().flatMap(choicesOf);
  return issue.code === 'invalid_value' ? issue.values.filter((value) => typeof value === 'string') : [];
}

/** Returns the names of settings that a schema knows at a path inside it; none when it accepts any name. */
export function knownSettings(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const alternatives = path.reduce<z.core.$ZodTypes[]>(
    (schemas, step) => schemas.flatMap((each) => inside(each, step)),
    shapesOf(schema),
  );
  return alternatives.flatMap(({ _zod: { def } }) => (def.type === 'object' ? Object.keys(def.shape) : []));
}

/** Returns the schemas inside defaults, optionals and other wrappers: one, or all alternatives of a union. */
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

/** A function that returns `file:line:column` of a setting, as exactly as the format of the config allows. */
export type LocateSetting = (issue: Pick<ConfigIssue, 'path' | 'isName'>) => Promise<string>;

/**
 * Runs work on a config and turns a `ConfigProblem` into one error with a line for each problem. Throws `config-invalid`,
 * or the code that the problem itself has.
 */
export async function explainProblems<Result>(
  locate: LocateSetting | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConfigProblem)) throw error;
    const { code, remedy, cause } = error;
    const options = remedy === undefined ? { cause } : { cause, remedy };
    throw new TouchstoneError(
      code,
      await formatIssues(error.issues, locate ?? (async () => 'config')),
      options,
    );
  }
}

async function formatIssues(issues: readonly ConfigIssue[], locate: LocateSetting): Promise<string> {
  const places = await Promise.all(issues.map(async (issue) => await locate(issue)));
  const lines = issues.map(({ path, message }, index) => {
    const setting = formatSetting(path);
    return `${places[index]}: ${setting === '' ? '' : `${setting}: `}${message}`;
  });
  if (lines.length === 1) return lines.join('');
  return `The configuration has ${lines.length} problems:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

/** Formats a path inside a config as a person would write it: `targets[0].url`. */
export function formatSetting(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}

/** Throws `ConfigProblem` when two entries of a setting have the same name. */
export function refuseDuplicates(setting: string, named: readonly { readonly name: string }[]): void {
  const names = named.map(({ name }) => name);
  const index = names.findIndex((name, at) => names.indexOf(name) !== at);
  if (index === -1) return;
  const message = `two entries are named "${names[index]}"; give one of them another \`name\``;
  throw new ConfigProblem([{ path: [setting, index], message }]);
}

/** The value of a config as written, and a function that locates its settings. */
export interface WrittenConfig {
  readonly written: unknown;
  readonly locate: LocateSetting;
}

/** Returns whether a file name ends in `.json`. */
export function isJson(shown: string): boolean {
  return shown.toLowerCase().endsWith('.json');
}
