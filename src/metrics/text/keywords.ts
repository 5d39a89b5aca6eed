import { defineMetric, nothingExpectedOption } from '../metric.ts';
import { findTexts, findTextsOptions } from './search-text.ts';

/**
 * Share of the expected keywords that occur in the answer, as lower-cased substrings; an empty list of them gives 1. Part
 * of the response quality of three-component scoring. Options look for words, stems, alternatives and numbers.
 */
export const keywords = defineMetric({
  name: 'keywords',
  family: 'content',
  version: 2,
  reads: ['keywords'],
  summary: 'Share of the expected keywords found in the answer, ignoring case.',
  options: () => findTextsOptions().extend({ nothingExpected: nothingExpectedOption }),
  create: ({ nothingExpected, ...options }) => ({
    score: ({ case: { expected }, trial }) =>
      expected.keywords === undefined && nothingExpected !== 'full'
        ? { status: 'not-applicable', reason: 'the case expects no keywords' }
        : findTexts(expected.keywords ?? [], trial.answer, options),
  }),
});
