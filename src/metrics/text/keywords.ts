import { findTexts, findTextsOptions } from './find-texts.ts';
import { defineMetric } from '../metric.ts';

/**
 * Share of the expected keywords that occur in the answer, as lower-cased substrings; no expected keyword gives 1.
 * The response-quality component of three-component scoring. Options look for words, stems, alternatives and numbers.
 */
export const keywords = defineMetric({
  name: 'keywords',
  family: 'content',
  version: 1,
  summary: 'Share of the expected keywords found in the answer, ignoring case.',
  options: findTextsOptions,
  create: (options) => ({
    score: ({ case: { expected }, trial }) => findTexts(expected.keywords ?? [], trial.answer, options),
  }),
});
