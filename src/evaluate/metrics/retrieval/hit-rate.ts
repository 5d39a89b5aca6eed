import { defineMetric } from '../metric.ts';
import { hitRateAt } from './measures.ts';
import { createRetrievalMetric, cutoffOptions } from './retrieval-metric.ts';

/**
 * Checks whether any relevant document was retrieved: 1 or 0; its mean over cases is the hit rate, also called success.
 * As in trec_eval. Not applicable without judgments, relevant documents or reported documents.
 */
export const hitRate = defineMetric({
  name: 'hit-rate',
  family: 'retrieval',
  aspect: 'any-document',
  version: 3,
  reads: ['documents'],
  summary: 'Any relevant document was retrieved, or is among the first k (success@k, hits@k): 1, else 0.',
  words: 'success@k, hits@k, recall@k, top-k, found at all, rag, retrieval, search quality',
  example: { k: 5 },
  options: cutoffOptions,
  create: (options) => createRetrievalMetric(options, (ranking) => hitRateAt(ranking, options.k)),
});
