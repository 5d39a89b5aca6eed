import { defineMetric } from '../metric.ts';
import { rPrecisionOf } from './measures.ts';
import { createRetrievalMetric, rankingOptions } from './retrieval-metric.ts';

/** Precision at R, the number of relevant documents: where precision and recall are equal. */
export const rPrecision = defineMetric({
  name: 'r-precision',
  family: 'retrieval',
  version: 1,
  reads: ['documents'],
  summary: 'Precision among the first R documents, R being the number of relevant ones.',
  options: rankingOptions,
  create: (options) => createRetrievalMetric(options, rPrecisionOf, ({ relevantIds }) => relevantIds.length),
});
