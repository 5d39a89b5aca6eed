import { z } from 'zod';
import { defineMetric } from '../metric.ts';
import { rankBiasedPrecisionAt } from './measures.ts';
import { createRetrievalMetric, cutoffOptions } from './retrieval-metric.ts';

/**
 * Computes rank-biased precision (Moffat and Zobel 2008) with binary relevance, from 0 to 1: the expected share of
 * relevant documents for a reader who goes on to the next one with probability p. Not applicable without judgments,
 * relevant documents or reported documents.
 */
export const rankBiasedPrecision = defineMetric({
  name: 'rank-biased-precision',
  family: 'retrieval',
  version: 3,
  reads: ['documents'],
  summary: 'Share of relevant documents that a reader sees who goes on to the next one with probability p.',
  words: 'RBP, ranking, patience, retrieval',
  options: () =>
    cutoffOptions().extend({
      p: z
        .number()
        .gt(0)
        .lt(1)
        .default(0.8)
        .describe(
          'The probability that the reader goes on: 0.5 for one in a hurry, 0.95 for a thorough one.',
        ),
    }),
  create: (options) => createRetrievalMetric(options, (ranking) => rankBiasedPrecisionAt(ranking, options)),
});
