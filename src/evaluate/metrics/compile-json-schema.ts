import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, Options, ValidateFunction } from 'ajv';
import type { FormatsPlugin } from 'ajv-formats';
import { z } from 'zod';
import { messageOf, TouchstoneError } from '../../core/errors.ts';
import { computeWithin, outOfTime, UnmeasurableError } from '../../core/lib/compute-within.ts';
import { testPattern } from '../../core/lib/exec-pattern.ts';
import { roundNumbers } from '../../core/lib/json/pack-numbers.ts';
import { valueAtPath } from '../../core/lib/objects.ts';
import type { Case } from '../../core/schema/case.ts';
import { jsonSchema as anyJson } from '../../core/schema/json.ts';

/** A function that returns what is wrong with a value; undefined for a valid one. */
export type CheckValue = (value: unknown) => string | undefined;

const options: Options = {
  // Unknown keywords and formats are ignored, as the specification requires, and are not errors of the schema.
  strict: false,
  logger: false,
  // Only an object's own members count: "constructor" does not exist unless the value has it.
  ownProperties: true,
  code: { regExp: Object.assign(boundedPattern, { code: '' }) },
};

/**
 * Compiles a JSON Schema of draft 2020-12, 2019-09, 7 or 6, as its `$schema` says, by default 2020-12. `format` is
 * checked. Throws what is wrong with the schema; the compiled check throws `UnmeasurableError` for a value that takes
 * too long.
 */
export function compileJsonSchema(schema: object | boolean): CheckValue {
  const dialect = typeof schema === 'object' ? String((schema as { $schema?: unknown }).$schema ?? '') : '';
  if (roundNumbers(schema) !== schema)
    throw new Error('a number in it has more digits than the check of a schema compares');
  const validate = createValidator(dialect).compile(schema);
  return (value) => {
    const rounded = roundNumbers(value);
    if (rounded !== value) requireSame(validate, value);
    return isValid(validate, rounded) ? undefined : describe(validate.errors?.[0]);
  };
}

/**
 * Throws `UnmeasurableError` where the result for a value depends on digits that a schema does not compare: a long number lies
 * between two doubles, which are then not both valid, or both invalid.
 */
function requireSame(validate: ValidateFunction, value: unknown): void {
  const results = (['below', 'nearest', 'above'] as const).map((side) =>
    isValid(validate, roundNumbers(value, side)),
  );
  if (new Set(results).size > 1)
    throw new UnmeasurableError(
      'text-not-read',
      'a number has more digits than the check of a schema compares',
    );
}

const longestUnwatched = 10_000;
const limitMs = 1000;

/**
 * Validates a value within a time limit. Some rules, such as distinct members of a list, take time proportional to the
 * square of its length.
 */
function isValid(validate: ValidateFunction, value: unknown): boolean {
  if ((JSON.stringify(value) ?? '').length <= longestUnwatched) return validate(value);
  const result = computeWithin(limitMs, () => validate(value));
  if (result !== outOfTime) return result;
  const reason = `checking the value by its JSON Schema takes more than ${limitMs / 1000} s`;
  throw new UnmeasurableError('too-long', reason);
}

/** Compiles a pattern of a schema, which may be slow on longer values than its author expected, with a time limit. */
function boundedPattern(source: string, flags: string) {
  const pattern = new RegExp(source, flags);
  // Ajv distinguishes patterns by their text.
  return { test: (text: string) => testPattern(pattern, text), toString: () => String(pattern) };
}

// Loads Ajv when a metric needs it, and not at every start of the command line.
const load = createRequire(import.meta.url);

type Constructor = new (options: Options) => Ajv;

function createValidator(dialect: string): Ajv {
  const { default: addFormats } = load('ajv-formats') as { default: FormatsPlugin };
  const { default: Validator } = load(moduleOf(dialect)) as { default: Constructor };
  const ajv = new Validator(options);
  if (dialect.includes('draft-06'))
    ajv.addMetaSchema(load('ajv/dist/refs/json-schema-draft-06.json') as object);
  addFormats(ajv);
  return ajv;
}

function moduleOf(dialect: string): string {
  if (/draft-0[3-5]/.test(dialect)) throw new Error(`schemas of ${dialect} are not supported`);
  if (/draft-0[67]/.test(dialect)) return 'ajv';
  return dialect.includes('2019-09') ? 'ajv/dist/2019.js' : 'ajv/dist/2020.js';
}

function describe(error: ErrorObject | null | undefined): string {
  if (error === null || error === undefined) return 'not valid';
  const place = error.instancePath === '' ? 'the value' : error.instancePath;
  const name: unknown = error.params['additionalProperty'] ?? error.params['unevaluatedProperty'];
  return `${place} ${error.message ?? error.keyword}${typeof name === 'string' ? `: ${name}` : ''}`;
}

/** The options of metrics that check a value by a JSON Schema. */
export const schemaOptions = () => ({
  schema: z
    .union([z.record(z.string(), anyJson), z.boolean()])
    .optional()
    .describe('The JSON Schema: draft 2020-12, or the draft that its `$schema` names.'),
  from: z
    .string()
    .min(1)
    .default('metadata.schema')
    .describe('Path in the question to its JSON Schema, used when `schema` is absent.'),
});

interface SchemaOptions {
  readonly schema?: object | boolean;
  readonly from: string;
}

const mostKept = 100;

/**
 * Returns a function that compiles the schema of a case, or the one in the options: a check; a text that says what is
 * wrong with the schema of the case; or undefined without a schema. Throws `config-invalid` when the schema of the
 * options cannot be used.
 */
export function createSchemaLookup(
  metric: string,
  { schema, from }: SchemaOptions,
): (testCase: Case) => CheckValue | string | undefined {
  if (schema !== undefined) {
    const check = tryCompile(schema);
    if (typeof check !== 'string') return () => check;
    throw new TouchstoneError(
      'config-invalid',
      `The schema of the metric ${metric} cannot be used: ${check}.`,
    );
  }
  const compiled = new Map<string, CheckValue | string>();
  return (testCase) => {
    const own = valueAtPath(testCase, from);
    if (!isSchema(own)) return undefined;
    const key = JSON.stringify(own);
    const check = compiled.get(key) ?? tryCompile(own);
    if (compiled.size < mostKept) compiled.set(key, check);
    return check;
  };
}

function isSchema(value: unknown): value is object | boolean {
  return typeof value === 'boolean' || (typeof value === 'object' && value !== null && !Array.isArray(value));
}

function tryCompile(schema: object | boolean): CheckValue | string {
  try {
    return compileJsonSchema(schema);
  } catch (error) {
    return messageOf(error);
  }
}
