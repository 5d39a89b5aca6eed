import { defineMetric } from '../metric.ts';
import { hitRateAt } from './measures.ts';
import { createRetrievalMetric, cutoffOptions } from './retrieval-metric.ts';

/** Whether any relevant document was retrieved; its mean is the hit rate, also called success. */
export const hitRate = defineMetric({
  name: 'hit-rate',
  family: 'retrieval',
  version: 1,
  reads: ['documents'],
  summary: 'Any relevant document was retrieved, or is among the first k: 1, else 0.',
  options: cutoffOptions,
  create: (options) => createRetrievalMetric(options, (ranking) => hitRateAt(ranking, options.k)),
});
