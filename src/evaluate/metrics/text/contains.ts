import { z } from 'zod';
import { defineMetric, expectationsAt } from '../metric.ts';
import { foldCase, textsOf, wantedTexts, wantedTextsOptions } from './references.ts';
import { notApplicable, passOrFail } from '../verdicts.ts';

/**
 * Checks that the answer contains a text, all of several texts, or any of them: 1, else 0. Not applicable to a case
 * without a text to look for.
 */
export const contains = defineMetric({
  name: 'contains',
  family: 'content',
  version: 1,
  reads: ({ value, from }) => (value === undefined ? expectationsAt(from ?? 'expected.answer') : []),
  texts: ({ value, mode }) => textsOf(value, { isAlternative: mode === 'any' }),
  summary: 'The answer contains a text: 1, else 0. Without `value`, the expected answer.',
  words: 'substring, includes, contains text, icontains, phrase, must mention, must say',
  example: { value: 'refund' },
  options: () =>
    wantedTextsOptions().extend({
      mode: z
        .enum(['all', 'any'])
        .default('all')
        .describe('`all`: every one of several texts is needed. `any`: one of them.'),
    }),
  create: (options) => ({
    score: ({ case: testCase, trial }) => {
      const wanted = wantedTexts(options, testCase, 'expected.answer');
      if (wanted.length === 0) return notApplicable('the question names no text to look for');
      const answer = foldCase(trial.answer ?? '', options.ignoreCase);
      const missing = wanted.filter((text) => !answer.includes(foldCase(text, options.ignoreCase)));
      const passed = options.mode === 'all' ? missing.length === 0 : missing.length < wanted.length;
      const explanation = passed ? undefined : `not found: ${missing.join(', ')}`;
      return passOrFail(passed, { explanation, evidence: { missing } });
    },
  }),
});
