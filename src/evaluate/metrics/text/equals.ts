import { z } from 'zod';
import { composed } from '../../../core/lib/json/same-text.ts';
import { defineMetric, expectationsAt } from '../metric.ts';
import { foldCase, wantedTexts, wantedTextsOptions } from './references.ts';
import { notApplicable, passOrFail } from '../verdicts.ts';

/**
 * Checks that the answer is the expected text, or one of several: 1, else 0. White space at the ends is ignored, and
 * whether letters are composed or decomposed, which no reader sees. Not applicable to a case without an expected text.
 */
export const equals = defineMetric({
  name: 'equals',
  family: 'wording',
  version: 2,
  reads: ({ value, from }) => (value === undefined ? expectationsAt(from ?? 'expected.answer') : []),
  summary: 'The answer is the expected text: 1, else 0. Without `value`, the expected answer.',
  words: 'exact match, identical, same text, string equality, strict, case-sensitive',
  example: { ignoreCase: true },
  options: () =>
    wantedTextsOptions().extend({
      ignoreCase: z.boolean().default(false).describe('True to ignore letter case.'),
      ignoreWhitespace: z
        .boolean()
        .default(false)
        .describe('True to treat any run of white space as one space.'),
    }),
  create: (options) => {
    const fold = (text: string) => {
      const trimmed = foldCase(composed(text), options.ignoreCase).trim();
      return options.ignoreWhitespace ? trimmed.replace(/\s+/gu, ' ') : trimmed;
    };
    return {
      score: ({ case: testCase, trial }) => {
        const wanted = wantedTexts(options, testCase, 'expected.answer');
        if (wanted.length === 0) return notApplicable('the question has no expected answer');
        const answer = fold(trial.answer ?? '');
        const passed = wanted.some((text) => fold(text) === answer);
        return passOrFail(passed);
      },
    };
  },
});
