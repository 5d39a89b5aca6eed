import { deriveProgress } from '../../reviews/progress.ts';
import { readView } from '../../reviews/read-view.ts';
import type { ReviewRow } from '../../schema/api/review/list.ts';
import type { ReviewTaskView } from '../../schema/api/review/view.ts';
import type { ReviewTask } from '../../schema/review/review-task.ts';
import type { AddRoute } from '../route.ts';

/**
 * Adds `GET /api/reviews`, the review tasks of the store, and `GET /api/reviews/:task`, one of them with its questions and its
 * progress.
 */
export const addReviews: AddRoute = (app, { openStore, person, isSignedIn = false }) => {
  app.get('/api/reviews', async ({ json }) => {
    const { reviews } = await openStore();
    return json({ tasks: (await reviews.listTasks()).map(toRow) });
  });
  app.get('/api/reviews/:task', async ({ req, json }) => {
    const { reviews } = await openStore();
    const view = await readView(reviews, req.param('task'));
    const { id, createdAt, items, people, adjudicators, overlap, due, status, frame } = view.task;
    const starter = await person?.();
    const answer: ReviewTaskView = {
      task: { id, createdAt, items, people, adjudicators, overlap, due, status },
      run: frame.run,
      rubrics: view.rubrics,
      progress: deriveProgress(view, new Date()),
      ...(starter !== undefined && { person: starter }),
      ...(isSignedIn && { isSignedIn }),
    };
    return json(answer);
  });
};

function toRow({ id, createdAt, rubrics, frame, items, due, status }: ReviewTask): ReviewRow {
  return {
    id,
    createdAt,
    rubrics: rubrics.map((rubric) => rubric.id),
    run: frame.run,
    items,
    ...(due !== undefined && { due }),
    status,
  };
}
