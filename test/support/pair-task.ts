import { makeRubric } from '../../src/decide/certificates/rubric.ts';
import {
  type PairTaskSettings,
  planPairs,
  usualPairRubric,
} from '../../src/people/reviews/pairs/plan-pairs.ts';
import { createReview } from '../../src/people/reviews/plan-review.ts';
import type { ReviewTask } from '../../src/core/schema/review/review-task.ts';
import type { Store } from '../../src/stores/store.ts';
import { type AnswersOfTargets, storePairedRun } from './paired-run.ts';

/** The settings of a task about pairs for tests, and the answers of the targets of its run. */
export interface PairTaskParts extends Partial<PairTaskSettings> {
  readonly answers: AnswersOfTargets;
  /** The id of the run; `run-of-` with the id of the task by default. */
  readonly run?: string;
}

/** Stores a run whose targets answered the same questions, and a review task over all pairs of their answers. */
export async function storePairTask(
  store: Store,
  { answers, id = 'pairs', run = `run-of-${id}`, ...settings }: PairTaskParts,
): Promise<ReviewTask> {
  const kept = await storePairedRun(store, { id: run, answers });
  const plan = await planPairs(store, [kept], {
    id,
    createdAt: '2026-01-03T00:00:00.000Z',
    seed: 3,
    rubrics: [makeRubric(usualPairRubric)],
    labels: 200,
    repeats: 0,
    controls: 0,
    ...settings,
  });
  return await createReview(store, plan);
}
