import { defineMetric, nothingExpectedOption } from '../metric.ts';
import { findTexts, findTextsOptions } from './search-text.ts';
import { notApplicable } from '../verdicts.ts';

/**
 * Computes the share of the expected keywords that the answer contains, from 0 to 1; an empty list scores 1. A keyword
 * begins where a word begins and may go on as a form of it; a number is found by its value. It is a part of the response
 * quality of three-component scoring. Not applicable to a case without keywords, unless `nothingExpected` is `full`.
 */
export const keywords = defineMetric({
  name: 'keywords',
  family: 'content',
  aspect: 'expected-terms',
  version: 9,
  reads: ['keywords'],
  summary:
    'Share of the expected keywords found in the answer: words and their forms, numbers by their value.',
  words:
    'synonyms, terms, must mention, contains all, words that must occur, alternatives, phrases, contains any, completeness, partial credit',
  options: () => findTextsOptions().extend({ nothingExpected: nothingExpectedOption }),
  create: ({ nothingExpected, ...options }) => ({
    score: ({ case: { expected }, trial }) =>
      expected.keywords === undefined && nothingExpected !== 'full'
        ? notApplicable('the question expects no keywords')
        : findTexts(expected.keywords ?? [], trial.answer, options),
  }),
});
