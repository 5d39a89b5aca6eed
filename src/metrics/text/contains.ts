import { z } from 'zod';
import { defineMetric, expectationsAt } from '../metric.ts';
import { foldCase, wantedTexts, wantedTextsOptions } from './references.ts';

/** 1 when the answer contains the text (all of them, or any of them), else 0. */
export const contains = defineMetric({
  name: 'contains',
  family: 'content',
  version: 1,
  reads: ({ value, from }) => (value === undefined ? expectationsAt(from ?? 'expected.answer') : []),
  summary: 'The answer contains a text: 1, else 0. Without `value`, the expected answer.',
  options: () =>
    wantedTextsOptions().extend({
      mode: z
        .enum(['all', 'any'])
        .default('all')
        .describe('Whether all of several texts are needed, or any one.'),
    }),
  create: (options) => ({
    score: ({ case: testCase, trial }) => {
      const wanted = wantedTexts(options, testCase, 'expected.answer');
      if (wanted.length === 0)
        return { status: 'not-applicable', reason: 'the case names no text to look for' };
      const answer = foldCase(trial.answer ?? '', options.ignoreCase);
      const missing = wanted.filter((text) => !answer.includes(foldCase(text, options.ignoreCase)));
      const passed = options.mode === 'all' ? missing.length === 0 : missing.length < wanted.length;
      const explanation = passed ? undefined : `not found: ${missing.join(', ')}`;
      return { status: 'scored', value: passed ? 1 : 0, passed, explanation, evidence: { missing } };
    },
  }),
});
