import type { Verdict } from '../../../core/schema/verdict.ts';
import { defineMetric, expectationsAt } from '../metric.ts';
import { createSchemaLookup, schemaOptions } from '../compile-json-schema.ts';
import { jsonAnswerOptions, readJsonAnswer } from './json-valid.ts';
import { notApplicable, passOrFail } from '../verdicts.ts';

/**
 * Checks that the whole answer is JSON that is valid by a JSON Schema, given in the config or by each case: 1, else 0.
 * Not applicable to a case without a schema; not measured with an invalid one.
 */
export const jsonSchema = defineMetric({
  name: 'json-schema',
  family: 'format',
  version: 2,
  reads: ({ schema, from }) => (schema === undefined ? expectationsAt(from) : []),
  summary: 'The answer is JSON that is valid by a JSON Schema: 1, else 0.',
  words:
    'structured output, schema validation, valid JSON, format, fields, types, function calling output, json correctness',
  example: { schema: { type: 'object', required: ['total'] } },
  options: () => jsonAnswerOptions().extend(schemaOptions()),
  create: (options) => {
    const checkOf = createSchemaLookup('json-schema', options);
    return {
      score: (input): Verdict => {
        const check = checkOf(input.case);
        if (check === undefined) return notApplicable('the question has no JSON Schema');
        if (typeof check === 'string') return { status: 'failed', code: 'schema-invalid', reason: check };
        const read = readJsonAnswer(input.trial.answer, options);
        const problem = 'problem' in read ? read.problem : check(read.value);
        const passed = problem === undefined;
        return passOrFail(passed, { explanation: problem });
      },
    };
  },
});
