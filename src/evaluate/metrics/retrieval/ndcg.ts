import { z } from 'zod';
import { defineMetric } from '../metric.ts';
import { ndcgAt } from './measures.ts';
import { createRetrievalMetric, cutoffOptions } from './retrieval-metric.ts';

/**
 * Computes the normalized discounted cumulative gain of the ranking (Järvelin and Kekäläinen, 2002) as trec_eval does,
 * from 0 to 1. Not applicable without judgments, relevant documents or reported documents.
 */
export const ndcg = defineMetric({
  name: 'ndcg',
  family: 'retrieval',
  version: 3,
  reads: ['documents'],
  summary: 'Gain of the ranking, discounted by rank, relative to the gain of the best possible ranking.',
  words: 'NDCG, nDCG@k, ranking, graded relevance, search quality, rag, retrieval, reranker',
  example: { k: 10 },
  options: () =>
    cutoffOptions().extend({
      gain: z
        .enum(['linear', 'exponential'])
        .default('linear')
        .describe('Gain of a document: its relevance, as in trec_eval, or 2^relevance - 1.'),
    }),
  create: (options) => createRetrievalMetric(options, (ranking) => ndcgAt(ranking, options)),
});
