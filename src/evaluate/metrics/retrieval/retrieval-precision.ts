import { defineMetric } from '../metric.ts';
import { precisionAt } from './measures.ts';
import { createRetrievalMetric, cutoffOptions } from './retrieval-metric.ts';

/**
 * Computes the share of relevant documents among the retrieved ones, or among the first k; from 0 to 1. Precision at k
 * is divided by k even when fewer documents were retrieved, as in trec_eval. Not applicable without judgments, relevant
 * documents or reported documents.
 */
export const retrievalPrecision = defineMetric({
  name: 'retrieval-precision',
  family: 'retrieval',
  version: 3,
  reads: ['documents'],
  summary: 'Share of the retrieved documents, or of the first k, that are relevant.',
  words: 'precision@k, rag, irrelevant documents, search quality, context precision, retrieval',
  options: cutoffOptions,
  create: (options) => createRetrievalMetric(options, (ranking) => precisionAt(ranking, options.k)),
});
