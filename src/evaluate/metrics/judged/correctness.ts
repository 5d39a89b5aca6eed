import { defineMetric, type MetricInput } from '../metric.ts';
import { judgedDefinition } from './judged-metric.ts';

const instructions = `Judge how correct and complete the answer is, held against the expected answer. The same in other words, in another order or with more detail is as good. Numbers, dates and names must be the same; a rounding that the question allows is no fault. Where there are several expected answers, any one of them will do.

1: says all that the expected answer says, and nothing that contradicts it.
0.75: says all that matters; a lesser detail is missing or vague.
0.5: says about half of what matters, and nothing wrong.
0.25: mostly missing, or right in one point and wrong in another that matters.
0: wrong, missing, or contradicts the expected answer in what was asked.`;

/**
 * Asks a judge how completely the answer says what the expected answer says, from 0 to 1. Where a refusal is expected,
 * a clear refusal is correct. Not applicable to cases with neither an expected answer nor an expected refusal.
 */
export const correctness = defineMetric(
  judgedDefinition({
    name: 'correctness',
    family: 'judged',
    aspect: 'correct-answer',
    version: 1,
    reads: ['answer', 'refusal'],
    summary: 'Judged: how far the answer says what the expected answer says.',
    words:
      'right answer, accuracy, factual correctness, factuality, same meaning, llm as a judge, semantic match, paraphrase, g-eval, model graded, closed qa, truthfulness',
    asks: {
      instructions,
      reads: ['question', 'background', 'expected answer', 'answer'],
      missing,
    },
  }),
);

function missing({ case: { expected } }: MetricInput): string | undefined {
  if (expected.answer !== undefined || expected.refusal !== undefined) return undefined;
  return 'the question has no expected answer';
}
