import { defineMetric } from '../metric.ts';
import { recallAt } from './measures.ts';
import { createRetrievalMetric, cutoffOptions } from './retrieval-metric.ts';

/**
 * Computes the share of all relevant documents that were retrieved, or are among the first k; from 0 to 1. As in
 * trec_eval. Not applicable without judgments, relevant documents or reported documents.
 */
export const retrievalRecall = defineMetric({
  name: 'retrieval-recall',
  family: 'retrieval',
  aspect: 'all-documents',
  version: 3,
  reads: ['documents'],
  summary: 'Share of the relevant documents that were retrieved, or are among the first k.',
  words: 'recall@k, rag, missing documents, right documents found, search quality, retrieval',
  example: { k: 5 },
  options: cutoffOptions,
  create: (options) => createRetrievalMetric(options, (ranking) => recallAt(ranking, options.k)),
});
