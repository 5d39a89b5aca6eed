import { defineMetric, type MetricInput } from '../metric.ts';
import { judgedOptions } from './ask-judges.ts';
import { createClaimMetric } from './claim-support.ts';
import { materialOf } from './material.ts';

const findClaims = `List what the expected answer states: every statement of fact in it, in the order in which they stand. Write each so that it can be checked by itself: one fact, names in place of "it" and "they", numbers and dates exactly as they stand. Add nothing, leave no statement out, and do not correct what is wrong. Greetings, offers, opinions and instructions are not statements of fact.`;

const checkClaims = `Check the numbered claims against the documents that a system retrieved. A claim is supported only when the documents say it, or when it follows from them by plain reading or simple arithmetic. What you know from elsewhere does not count, even if it is true. A claim of which a part is not in the documents, or that contradicts them, is not supported.`;

/**
 * Measures context recall with a judge: the share, from 0 to 1, of the statements of the expected answer that the
 * retrieved documents support. This is the definition of `ContextRecall` of ragas 0.4 (and of `context-recall` of
 * promptfoo, which counts sentences); the prompts are our own, with one question that lists the statements and one that
 * checks them. With several expected answers, the first counts. Not applicable without an expected answer, without
 * documents with a text, or when the expected answer states nothing.
 */
export const contextRecall = defineMetric({
  name: 'context-recall',
  family: 'retrieval',
  version: 1,
  reads: ['answer'],
  summary: 'Judged: share of the statements in the expected answer that the retrieved documents support.',
  words: 'ragas, rag, retrieval, context, missing context, retriever, chunks, enough context',
  needs: ['judge'],
  options: judgedOptions,
  create: (options, needs) =>
    createClaimMetric(
      {
        name: 'context-recall',
        version: 1,
        findClaims,
        checkClaims,
        claimant: (input) => [
          ...materialOf(input, ['question']),
          { title: 'expected answer', text: expectedAnswer(input) ?? '' },
        ],
        sources: (input) => materialOf(input, ['documents']),
        missing,
        noClaims: 'the expected answer states nothing that could be checked',
      },
      options,
      needs,
    ),
});

function expectedAnswer({ case: { expected } }: MetricInput): string | undefined {
  return [expected.answer ?? []].flat()[0];
}

function missing(input: MetricInput): string | undefined {
  if ((expectedAnswer(input) ?? '').trim() === '') return 'the question has no expected answer';
  return materialOf(input, ['documents']).length === 0
    ? 'no text of a retrieved document is known'
    : undefined;
}
