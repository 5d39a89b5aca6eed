import { defineMetric } from '../metric.ts';
import { binaryPreferenceOf } from './measures.ts';
import { createRetrievalMetric, rankingOptions } from './retrieval-metric.ts';

/**
 * Computes the binary preference of trec_eval (Buckley and Voorhees 2004), from 0 to 1: how seldom a document judged not
 * relevant is ranked before a relevant one. Documents without a judgment do not count, so it suits incomplete judgments;
 * without any document judged not relevant it is the recall. Not applicable without judgments, relevant documents or
 * reported documents.
 */
export const bpref = defineMetric({
  name: 'bpref',
  family: 'retrieval',
  version: 3,
  reads: ['documents'],
  summary: 'How seldom documents judged not relevant stand before relevant ones; others do not count.',
  words: 'incomplete judgments, ranking, trec, retrieval',
  options: rankingOptions,
  create: (options) => createRetrievalMetric(options, binaryPreferenceOf),
});
