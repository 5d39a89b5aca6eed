import { feedbackViewSchema, ratedListSchema } from '../../../../src/core/schema/api/feedback-view.ts';
import type { SaidChoice } from '../../../../src/core/schema/api/record-counts.ts';
import { useAnswer, withParameters } from '../use-answer.ts';

/** The part of the feedback that a page is about. */
export interface FeedbackChoice {
  readonly by?: 'day' | 'week' | 'month';
  readonly target?: string;
}

/** Asks what users said, and whether scores predict it. */
export function useFeedback({ by, target }: FeedbackChoice) {
  return useAnswer(withParameters('/feedback/summary', { by, target }), feedbackViewSchema);
}

/** The answers behind a number. */
export interface RatedChoice extends FeedbackChoice {
  readonly period?: string;
  readonly category?: string;
  readonly said?: SaidChoice;
}

/** Asks for answers that users were given. */
export function useRatedAnswers({ by, target, period, category, said }: RatedChoice, limit: number) {
  const choice = { by, target, period, category, said, limit };
  return useAnswer(withParameters('/feedback/answers', choice), ratedListSchema);
}
