import { defineMetric } from '../metric.ts';
import { reciprocalRankAt } from './measures.ts';
import { createRetrievalMetric, cutoffOptions } from './retrieval-metric.ts';

/**
 * Computes 1 / rank of the first relevant document, 0 when there is none; its mean over cases is MRR. As in trec_eval.
 * Not applicable without judgments, relevant documents or reported documents.
 */
export const reciprocalRank = defineMetric({
  name: 'reciprocal-rank',
  family: 'retrieval',
  version: 3,
  reads: ['documents'],
  summary: '1 / rank of the first relevant document; the mean is MRR.',
  words: 'MRR, mean reciprocal rank, first relevant, ranking, search quality, rag, retrieval',
  options: cutoffOptions,
  create: (options) => createRetrievalMetric(options, (ranking) => reciprocalRankAt(ranking, options.k)),
});
