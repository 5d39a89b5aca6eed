import { z } from 'zod';
import { messageOf } from '../../../core/errors.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { lazily } from '../../../core/lib/lazily.ts';
import type { Json } from '../../../core/schema/json.ts';
import { defineMetric } from '../metric.ts';
import { passOrFail } from '../verdicts.ts';

/** The options of metrics that read an answer as JSON. */
export const jsonAnswerOptions = lazily(() =>
  z.strictObject({
    fenced: z
      .boolean()
      .default(false)
      .describe('True to allow JSON inside one Markdown code fence with nothing around it.'),
  }),
);

const fence = /^\s*(`{3,}|~{3,})[ \t]*(?:json[c5]?)?[ \t]*\r?\n([\s\S]*?)\r?\n?\1\s*$/i;

/** Parses an answer that is JSON as a whole, or returns what is wrong with it. */
export function readJsonAnswer(
  answer: string | null,
  { fenced }: z.output<ReturnType<typeof jsonAnswerOptions>>,
): { value: Json } | { problem: string } {
  const text = answer ?? '';
  const body = fenced ? (fence.exec(text)?.[2] ?? text) : text;
  if (body.trim() === '') return { problem: 'there is no answer' };
  try {
    return { value: parseJson(body) as Json };
  } catch (error) {
    const hint = !fenced && fence.test(text) ? ' (it is in a code fence; see `fenced`)' : '';
    return { problem: `${messageOf(error)}${hint}` };
  }
}

/** Checks that the whole answer is valid JSON (RFC 8259), of the given type when one is set: 1, else 0. */
export const jsonValid = defineMetric({
  name: 'json-valid',
  family: 'format',
  version: 1,
  summary: 'The answer is valid JSON, with nothing around it: 1, else 0.',
  words: 'JSON, valid JSON, parse, format, structured output, is-json, json correctness',
  options: () =>
    jsonAnswerOptions().extend({
      type: z
        .enum(['object', 'array', 'string', 'number', 'boolean', 'null'])
        .optional()
        .describe('The type that the value must have; any type when absent.'),
    }),
  create: (options) => ({
    score: ({ trial }) => {
      const read = readJsonAnswer(trial.answer, options);
      if ('problem' in read) return { status: 'scored', value: 0, passed: false, explanation: read.problem };
      const type = typeOf(read.value);
      const passed = options.type === undefined || options.type === type;
      const explanation = passed ? undefined : `it is of type ${type}, not ${options.type}`;
      return passOrFail(passed, { explanation });
    },
  }),
});

function typeOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
