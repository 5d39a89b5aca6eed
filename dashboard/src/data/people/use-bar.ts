import { feedbackSizeSchema, proposalSizeSchema } from '../../../../src/core/schema/api/record-counts.ts';
import { reviewListSchema } from '../../../../src/core/schema/api/review/list.ts';
import { useAnswer } from '../use-answer.ts';

/** Asks for the number of records of feedback. */
export function useFeedbackSize() {
  return useAnswer('/feedback/size', feedbackSizeSchema, { pollMs: 10_000 });
}

/** Asks for the number of proposed cases. */
export function useProposalSize() {
  return useAnswer('/proposals/size', proposalSizeSchema, { pollMs: 10_000 });
}

/** Asks for the review tasks of the store. */
export function useReviews() {
  return useAnswer('/reviews', reviewListSchema, { pollMs: 10_000 });
}
