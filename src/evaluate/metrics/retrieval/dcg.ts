import { z } from 'zod';
import { defineMetric } from '../metric.ts';
import { dcgAt } from './measures.ts';
import { createRetrievalMetric, cutoffOptions } from './retrieval-metric.ts';

/**
 * Computes the discounted cumulative gain, the sum of gain / log2(rank + 1), in units of gain: 0 or more. It depends on
 * how many relevant documents there are; `ndcg` divides it by its greatest possible value. Not applicable without
 * judgments, relevant documents or reported documents.
 */
export const dcg = defineMetric({
  name: 'dcg',
  family: 'retrieval',
  version: 3,
  reads: ['documents'],
  quantity: { unit: 'gain', limits: ['min'] },
  summary: 'Discounted cumulative gain of the retrieved documents; `ndcg` compares it with the best ranking.',
  words: 'discounted cumulative gain, ranking, graded relevance, search quality, retrieval',
  options: () =>
    cutoffOptions()
      .omit({ threshold: true })
      .extend({
        gain: z
          .enum(['linear', 'exponential'])
          .default('linear')
          .describe('The gain of a relevance: itself, or 2^relevance - 1.'),
        min: z.number().min(0).optional().describe('The verdict passes from this gain on.'),
      }),
  create: ({ min, ...options }) =>
    createRetrievalMetric({ ...options, threshold: min, unit: 'gain' }, (ranking) => dcgAt(ranking, options)),
});
