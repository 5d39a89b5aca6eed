import { findTexts, findTextsOptions, matchOption } from './search-text.ts';
import { defineMetric } from '../metric.ts';
import { notApplicable } from '../verdicts.ts';

/**
 * Computes the share of the expected entities that the answer mentions, from 0 to 1. Not applicable to a case that
 * expects none.
 */
export const entities = defineMetric({
  name: 'entities',
  family: 'content',
  aspect: 'expected-terms',
  version: 8,
  reads: ['entities'],
  summary: 'Share of the expected entities that the answer mentions, ignoring case.',
  words: 'names, named entities, people, places, products, must mention, ner',
  options: () =>
    findTextsOptions().extend({
      match: matchOption('name').describe(
        'As for the metric `keywords`. By default an entity is a name: the possessive may follow it (Ann’s), and the plural of a common noun (desk lamps), and no other letters.',
      ),
    }),
  create: (options) => ({
    score: ({ case: { expected }, trial }) =>
      expected.entities === undefined || expected.entities.length === 0
        ? notApplicable('the question expects no entities')
        : findTexts(expected.entities, trial.answer, options),
  }),
});
