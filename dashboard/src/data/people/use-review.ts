import { reviewViewSchema } from '../../../../src/core/schema/api/review/view.ts';
import { useAnswer } from '../use-answer.ts';

/** Returns the address of a review task under `/api`. */
export function reviewPath(task: string): string {
  return `/reviews/${encodeURIComponent(task)}`;
}

/** Asks for a review task with its questions and its progress. */
export function useReview(task: string) {
  return useAnswer(reviewPath(task), reviewViewSchema, { pollMs: 10_000 });
}
