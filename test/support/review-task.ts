import { createReview, planReview, type ReviewSettings } from '../../src/people/reviews/plan-review.ts';
import type { ReviewTask } from '../../src/core/schema/review/review-task.ts';
import type { Store } from '../../src/stores/store.ts';
import { buildRubric } from './build-labels.ts';
import { type JudgedAnswers, storeReviewedRun } from './reviewed-run.ts';

/** The settings of a task for tests; `answers` belong to its run. */
export interface TaskParts extends Partial<ReviewSettings> {
  readonly id?: string;
  readonly answers?: JudgedAnswers;
}

/** Stores a run with short answers, and a review task over all of them that asks whether each is polite. */
export async function storeReviewTask(
  store: Store,
  { id = 'task-1', answers = { passed: 5, failed: 5 }, ...settings }: TaskParts = {},
): Promise<ReviewTask> {
  const run = await storeReviewedRun(store, answers, `run-of-${id}`);
  const plan = await planReview(store, run, {
    id,
    createdAt: '2026-01-03T00:00:00.000Z',
    seed: 7,
    rubrics: [buildRubric()],
    labels: answers.passed + answers.failed,
    draw: { type: 'random' },
    repeats: 0,
    ...settings,
  });
  return await createReview(store, plan);
}
