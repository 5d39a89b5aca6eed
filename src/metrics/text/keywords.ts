import { defineMetric, nothingExpectedOption } from '../metric.ts';
import { findTexts, findTextsOptions } from './search-text.ts';

/**
 * Computes the share of the expected keywords that occur in the answer as lower-case substrings, from 0 to 1; an empty
 * list scores 1. Options extend the search to words, stems, alternatives and numbers. It is a part of the response
 * quality of three-component scoring. Not applicable to a case without keywords, unless `nothingExpected` is `full`.
 */
export const keywords = defineMetric({
  name: 'keywords',
  family: 'content',
  aspect: 'expected-terms',
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
