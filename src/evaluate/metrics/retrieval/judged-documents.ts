import { defineMetric } from '../metric.ts';
import { judgedAt } from './measures.ts';
import { createRetrievalMetric, cutoffOptions } from './retrieval-metric.ts';

/**
 * Computes the share of retrieved documents with a judgment, from 0 to 1. It shows how reliable the other retrieval
 * metrics are, which count documents without a judgment as not relevant. Not applicable without judgments or retrieved
 * documents.
 */
export const judgedDocuments = defineMetric({
  name: 'judged-documents',
  version: 3,
  reads: ['documents'],
  summary: 'Share of the retrieved documents, or of the first k, that have a judgment.',
  words: 'unjudged, judgment coverage, retrieval, qrels',
  options: cutoffOptions,
  create: (options) => createRetrievalMetric(options, (ranking) => judgedAt(ranking, options.k)),
});
