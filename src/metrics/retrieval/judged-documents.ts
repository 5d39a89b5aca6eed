import { defineMetric } from '../metric.ts';
import { judgedAt } from './measures.ts';
import { createRetrievalMetric, cutoffOptions } from './retrieval-metric.ts';

/** How far the other retrieval metrics can be relied on: documents without a judgment count there as not relevant. */
export const judgedDocuments = defineMetric({
  name: 'judged-documents',
  version: 1,
  reads: ['documents'],
  summary: 'Share of the retrieved documents, or of the first k, that have a judgment.',
  options: cutoffOptions,
  create: (options) => createRetrievalMetric(options, (ranking) => judgedAt(ranking, options.k)),
});
