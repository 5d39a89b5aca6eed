import { findTexts, findTextsOptions } from './search-text.ts';
import { defineMetric } from '../metric.ts';

/**
 * Computes the share of the expected entities that the answer mentions, from 0 to 1. Not applicable to a case that
 * expects none.
 */
export const entities = defineMetric({
  name: 'entities',
  family: 'content',
  aspect: 'expected-terms',
  version: 1,
  reads: ['entities'],
  summary: 'Share of the expected entities that the answer mentions, ignoring case.',
  options: findTextsOptions,
  create: (options) => ({
    score: ({ case: { expected }, trial }) =>
      expected.entities === undefined || expected.entities.length === 0
        ? { status: 'not-applicable', reason: 'the case expects no entities' }
        : findTexts(expected.entities, trial.answer, options),
  }),
});
