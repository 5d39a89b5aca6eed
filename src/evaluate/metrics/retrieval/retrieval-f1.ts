import { defineMetric } from '../metric.ts';
import { f1At } from './measures.ts';
import { createRetrievalMetric, cutoffOptions } from './retrieval-metric.ts';

/**
 * Computes the harmonic mean of retrieval precision and recall, from 0 to 1; 0 when both are 0. Not applicable without
 * judgments, relevant documents or reported documents.
 */
export const retrievalF1 = defineMetric({
  name: 'retrieval-f1',
  family: 'retrieval',
  version: 3,
  reads: ['documents'],
  summary: 'Harmonic mean of retrieval precision and recall.',
  words: 'rag, search quality, documents found, f1 of documents, retrieval',
  options: cutoffOptions,
  create: (options) => createRetrievalMetric(options, (ranking) => f1At(ranking, options.k)),
});
