import { defineMetric } from '../metric.ts';
import { precisionAt } from './measures.ts';
import { createRetrievalMetric, cutoffOptions } from './retrieval-metric.ts';

/** Precision of the retrieved documents; at k divided by k, however few were retrieved. */
export const retrievalPrecision = defineMetric({
  name: 'retrieval-precision',
  family: 'retrieval',
  version: 1,
  reads: ['documents'],
  summary: 'Share of the retrieved documents, or of the first k, that are relevant.',
  options: cutoffOptions,
  create: (options) => createRetrievalMetric(options, (ranking) => precisionAt(ranking, options.k)),
});
