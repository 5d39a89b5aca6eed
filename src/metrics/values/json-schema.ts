import { z } from 'zod';
import { messageOf, TouchstoneError } from '../../errors.ts';
import { valueAtPath } from '../../lib/objects.ts';
import { jsonSchema as anyJson } from '../../schema/json.ts';
import type { Verdict } from '../../schema/verdict.ts';
import { defineMetric, expectationsAt, type MetricInput } from '../metric.ts';
import { type CheckValue, compileJsonSchema } from './compile-json-schema.ts';
import { jsonAnswerOptions, readJsonAnswer } from './json-valid.ts';

const mostKept = 100;

/**
 * Checks that the whole answer is JSON that is valid by a JSON Schema, given in the config or by each case: 1, else 0.
 * Not applicable to a case without a schema; not measured with an invalid one.
 */
export const jsonSchema = defineMetric({
  name: 'json-schema',
  family: 'format',
  version: 1,
  reads: ({ schema, from }) => (schema === undefined ? expectationsAt(from) : []),
  summary: 'The answer is JSON that is valid by a JSON Schema: 1, else 0.',
  options: () =>
    jsonAnswerOptions().extend({
      schema: z
        .union([z.record(z.string(), anyJson), z.boolean()])
        .optional()
        .describe('The JSON Schema: draft 2020-12, or the draft that its `$schema` names.'),
      from: z
        .string()
        .min(1)
        .default('metadata.schema')
        .describe('Path in the case to its JSON Schema, used when `schema` is absent.'),
    }),
  create: (options) => {
    const fixed = options.schema === undefined ? undefined : compileOrRefuse(options.schema);
    const compiled = new Map<string, CheckValue | string>();
    const checkOf = ({ case: testCase }: MetricInput): CheckValue | string | undefined => {
      const schema = fixed === undefined ? valueAtPath(testCase, options.from) : undefined;
      if (fixed !== undefined || !isSchema(schema)) return fixed;
      const key = JSON.stringify(schema);
      const check = compiled.get(key) ?? tryCompile(schema);
      if (compiled.size < mostKept) compiled.set(key, check);
      return check;
    };
    return {
      score: (input): Verdict => {
        const check = checkOf(input);
        if (check === undefined) return { status: 'not-applicable', reason: 'the case has no JSON Schema' };
        if (typeof check === 'string') return { status: 'failed', code: 'schema-invalid', reason: check };
        const read = readJsonAnswer(input.trial.answer, options);
        const problem = 'problem' in read ? read.problem : check(read.value);
        const passed = problem === undefined;
        return { status: 'scored', value: passed ? 1 : 0, passed, explanation: problem };
      },
    };
  },
});

function isSchema(value: unknown): value is object | boolean {
  return typeof value === 'boolean' || (typeof value === 'object' && value !== null && !Array.isArray(value));
}

function compileOrRefuse(schema: object | boolean): CheckValue {
  const check = tryCompile(schema);
  if (typeof check !== 'string') return check;
  throw new TouchstoneError(
    'config-invalid',
    `The schema of the metric json-schema cannot be used: ${check}.`,
  );
}

function tryCompile(schema: object | boolean): CheckValue | string {
  try {
    return compileJsonSchema(schema);
  } catch (error) {
    return messageOf(error);
  }
}
