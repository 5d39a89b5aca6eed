import { defineMetric } from '../metric.ts';
import { averagePrecisionAt } from './measures.ts';
import { createRetrievalMetric, cutoffOptions } from './retrieval-metric.ts';

/**
 * Computes the average precision of the ranking, from 0 to 1; its mean over cases is MAP. As in trec_eval. Not
 * applicable without judgments, relevant documents or reported documents.
 */
export const averagePrecision = defineMetric({
  name: 'average-precision',
  family: 'retrieval',
  version: 3,
  reads: ['documents'],
  summary: 'Mean of the precisions at the ranks of the relevant documents; the mean is MAP.',
  words: 'MAP, mean average precision, ranking, search quality, rag, retrieval',
  options: cutoffOptions,
  create: (options) => createRetrievalMetric(options, (ranking) => averagePrecisionAt(ranking, options.k)),
});
