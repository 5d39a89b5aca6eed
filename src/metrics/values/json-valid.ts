import { z } from 'zod';
import type { Json } from '../../schema/json.ts';
import { defineMetric } from '../metric.ts';
import { jsonAnswerOptions, readJsonAnswer } from './read-json-answer.ts';

/** 1 when the whole answer is valid JSON (RFC 8259), of the wanted type where one is named; else 0. */
export const jsonValid = defineMetric({
  name: 'json-valid',
  family: 'format',
  version: 1,
  summary: 'The answer is valid JSON, with nothing around it: 1, else 0.',
  options: () =>
    jsonAnswerOptions().extend({
      type: z
        .enum(['object', 'array', 'string', 'number', 'boolean', 'null'])
        .optional()
        .describe('What it must be; anything when left out.'),
    }),
  create: (options) => ({
    score: ({ trial }) => {
      const read = readJsonAnswer(trial.answer, options);
      if ('problem' in read) return { status: 'scored', value: 0, passed: false, explanation: read.problem };
      const type = typeOf(read.value);
      const passed = options.type === undefined || options.type === type;
      const explanation = passed ? undefined : `it is of type ${type}, not ${options.type}`;
      return { status: 'scored', value: passed ? 1 : 0, passed, explanation };
    },
  }),
});

function typeOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
