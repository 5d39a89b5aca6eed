import { defineMetric } from '../metric.ts';
import { judgedDefinition } from './judged-metric.ts';
import { materialOf } from './material.ts';

const instructions = `Judge whether the documents that a system retrieved contain what is needed to answer the question. Use only what the documents and the question say; what you know from elsewhere does not count. How the documents are written, and what else they contain, does not matter here.

1: the documents contain all that is needed to answer the question.
0.5: they contain a part of it.
0: they contain nothing of it.`;

/**
 * Asks a judge how far the retrieved documents contain what the question needs, from 0 to 1. This is the definition of
 * `ContextRelevance` of ragas 0.4, the mean of two ratings of 0, 1 or 2; two `samples` correspond to them, and the
 * prompt is our own. `context-relevance` of promptfoo is another number: the share of sentences that are needed. Not
 * applicable without documents with a text.
 */
export const contextRelevance = defineMetric(
  judgedDefinition({
    name: 'context-relevance',
    family: 'retrieval',
    version: 1,
    summary: 'Judged: how far the retrieved documents contain what is needed to answer the question.',
    words: 'rag, rag triad, retrieval, context, irrelevant chunks, retriever, noise',
    asks: {
      instructions,
      reads: ['question', 'documents'],
      missing: (input) =>
        materialOf(input, ['documents']).length === 0
          ? 'no text of a retrieved document is known'
          : undefined,
    },
  }),
);
