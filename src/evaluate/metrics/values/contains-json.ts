import { z } from 'zod';
import { findJson } from '../../../core/lib/json/find-json.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import type { Json } from '../../../core/schema/json.ts';
import { defineMetric, expectationsAt } from '../metric.ts';
import { createSchemaLookup, schemaOptions } from '../compile-json-schema.ts';
import { passOrFail } from '../verdicts.ts';

const objects = ['object'] as const;
const objectsAndLists = ['object', 'array'] as const;

/**
 * Checks that there is JSON somewhere in the answer, and that one such value is valid by the JSON Schema of the config or
 * of the case: 1, else 0. Without a schema objects count, as a list of one number may be the mark of a footnote; with
 * one, lists do, too. Not measured with an invalid schema. The JSON is read by RFC 8259, whereas `contains-json` of
 * promptfoo reads YAML, so that it also finds `{a: 1}` and objects whose end is missing.
 */
export const containsJson = defineMetric({
  name: 'contains-json',
  family: 'format',
  version: 2,
  reads: ({ schema, from }) => (schema === undefined ? expectationsAt(from) : []),
  summary: 'The answer contains JSON, valid by a JSON Schema if there is one: 1, else 0.',
  words: 'JSON in text, JSON inside Markdown, structured output, extract JSON',
  options: () => z.strictObject(schemaOptions()),
  create: (options) => {
    const checkOf = createSchemaLookup('contains-json', options);
    return {
      score: (input) => {
        const check = checkOf(input.case);
        if (typeof check === 'string') return { status: 'failed', code: 'schema-invalid', reason: check };
        const found = findJson(input.trial.answer ?? '', check === undefined ? objects : objectsAndLists);
        const problems = found.map((text) => check?.(parseJson(text) as Json));
        const passed = problems.includes(undefined);
        const explanation = passed ? undefined : (problems[0] ?? 'no JSON was found');
        return passOrFail(passed, { explanation, evidence: { found: found.length } });
      },
    };
  },
});
