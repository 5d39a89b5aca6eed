import { defineMetric, type MetricInput } from '../metric.ts';
import { judgedDefinition } from './judged-metric.ts';

const instructions = `Judge how faithful the answer is to what is known: the expected answer and, where there are any, the documents that the system retrieved. Every statement of the answer should follow from these, and none should contradict them. What you know from elsewhere does not count, even if it is true. Style, length and completeness do not matter here.

1: every statement follows from the expected answer or the documents.
0.75: a detail is added that does not follow, and does no harm.
0.5: an important statement does not follow from them.
0.25: most of the answer does not follow, or a detail contradicts them.
0: the heart of the answer contradicts them or is made up.
An answer that states nothing, such as that the matter is not known, is faithful unless it denies what is there.`;

/**
 * Asks a judge how well the answer keeps to the expected answer and the retrieved documents, from 0 to 1. Not
 * applicable when there is neither an expected answer nor a document with text, unless a refusal is expected.
 */
export const faithfulness = defineMetric(
  judgedDefinition({
    name: 'faithfulness',
    family: 'grounding',
    version: 1,
    reads: ['answer', 'refusal'],
    summary: 'Judged: how far the answer keeps to the expected answer and the documents.',
    words:
      'rag, hallucination, grounded in documents, keeps to the context, consistent with the source, ragas, contradiction',
    asks: {
      instructions,
      reads: ['question', 'expected answer', 'documents', 'answer'],
      missing,
    },
  }),
);

function missing({ case: { expected }, trial: { documents = [] } }: MetricInput): string | undefined {
  if (expected.answer !== undefined || expected.refusal === true) return undefined;
  if (documents.some(({ text }) => text !== undefined)) return undefined;
  return 'there is neither an expected answer nor a retrieved document with text to be faithful to';
}
