import { reviewListSchema } from '../../../../src/schema/api/review/list.ts';
import { useAnswer } from '../use-answer.ts';

/** Asks for the review tasks of the store. */
export function useReviews() {
  return useAnswer('/reviews', reviewListSchema, { pollMs: 10_000 });
}
