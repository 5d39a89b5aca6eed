import { defineMetric } from '../metric.ts';
import { rPrecisionOf } from './measures.ts';
import { createRetrievalMetric, rankingOptions } from './retrieval-metric.ts';

/**
 * Computes the precision at R, the number of relevant documents, where precision and recall are equal; from 0 to 1. As
 * in trec_eval. Not applicable without judgments, relevant documents or reported documents.
 */
export const rPrecision = defineMetric({
  name: 'r-precision',
  family: 'retrieval',
  version: 3,
  reads: ['documents'],
  summary: 'Precision among the first R documents, R being the number of relevant ones.',
  words: 'ranking, retrieval, trec, precision at R',
  options: rankingOptions,
  create: (options) => createRetrievalMetric(options, rPrecisionOf, ({ relevantIds }) => relevantIds.length),
});
