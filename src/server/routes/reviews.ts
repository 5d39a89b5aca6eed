import { createReview } from '../../library/api/reviews.ts';
import { TouchstoneError } from '../../core/errors.ts';
import { hashText } from '../../core/lib/content-hash.ts';
import { deriveProgress } from '../../people/reviews/progress.ts';
import { readView } from '../../people/reviews/read-view.ts';
import type { AskedQuestion, ReviewList, ReviewRow } from '../../core/schema/api/review/list.ts';
import { type NewTaskRequest, newTaskRequestSchema } from '../../core/schema/api/review/request.ts';
import type { ReviewTaskView } from '../../core/schema/api/review/view.ts';
import type { ReviewTask } from '../../core/schema/review/review-task.ts';
import { type Rubric, yesNoRubric } from '../../core/schema/review/rubric.ts';
import { type AddRoute, parseInput, readBody } from '../route.ts';
import { rubricKind } from '../../stores/kinds/rubric.ts';
import { reviewTaskKind } from '../../stores/kinds/review-task.ts';
import { type DocumentStore } from '../../stores/documents/document-store.ts';

/**
 * Adds `GET /api/reviews`, the review tasks of the store; `POST /api/reviews`, which creates one of answers that were picked by
 * hand; and `GET /api/reviews/:task`, one of them with its questions and its progress.
 */
export const addReviews: AddRoute = (app, { openStore, person, isSignedIn = false, may = () => true }) => {
  app.get('/api/reviews', async ({ json }) => {
    const { documents } = await openStore();
    const starter = await person?.();
    const list: ReviewList = {
      tasks: (await Array.fromAsync(documents.list(reviewTaskKind))).map(toRow),
      questions: await readQuestions(documents),
      mayCreate: may('edit'),
      person: starter,
    };
    return json(list);
  });
  app.post('/api/reviews', async ({ req, json }) => {
    const { run, ordinals, asks } = parseInput(newTaskRequestSchema, await readBody(req));
    const store = await openStore();
    const rubrics = [await rubricOf(store.documents, asks)];
    const picked = { ordinals, labels: ordinals.length, draw: { type: 'by-hand' } } as const;
    const { task } = await createReview({ store, run, rubrics, ...picked });
    return json({ task: task.id });
  });
  app.get('/api/reviews/:task', async ({ req, json }) => {
    const { documents } = await openStore();
    const view = await readView(documents, req.param('task'));
    const { id, createdAt, items, people, adjudicators, overlap, due, status, frame } = view.task;
    const starter = await person?.();
    const answer: ReviewTaskView = {
      task: { id, createdAt, items, people, adjudicators, overlap, due, status },
      run: frame.run,
      rubrics: view.rubrics,
      progress: deriveProgress(view, new Date()),
      person: starter,
      ...(isSignedIn && { isSignedIn }),
    };
    return json(answer);
  });
};

/** Reads the rubrics about single answers, each in the words of the task that asked it last. */
async function readRubrics(documents: DocumentStore): Promise<Rubric[]> {
  const all = await Array.fromAsync(documents.list(rubricKind));
  const newest = new Map<string, string>();
  for (const { rubrics } of (await Array.fromAsync(documents.list(reviewTaskKind))).toReversed())
    for (const { id, version } of rubrics) newest.set(id, version);
  return all.filter(({ id, version, scale }) => scale.type !== 'pair' && newest.get(id) === version);
}

async function readQuestions(documents: DocumentStore): Promise<AskedQuestion[]> {
  return (await readRubrics(documents)).map(({ id, question }) => ({ rubric: id, question }));
}

/** Returns the rubric that a new task asks. Throws `rubric-not-found`. */
async function rubricOf(
  documents: DocumentStore,
  asks: NewTaskRequest['asks'],
): Promise<Omit<Rubric, 'version'>> {
  if ('question' in asks) {
    const { question } = asks;
    // The same question has the same id, which begins with its words, and another question has another one.
    const words = question.toLowerCase().match(/[a-z0-9]+/g) ?? ['question'];
    return yesNoRubric(`${words.join('-').slice(0, 40)}-${hashText(question).slice(0, 4)}`, question);
  }
  const rubric = (await readRubrics(documents)).find(({ id }) => id === asks.rubric);
  if (rubric !== undefined) return rubric;
  throw new TouchstoneError('rubric-not-found', `No review task asks the rubric "${asks.rubric}".`);
}

function toRow({ id, createdAt, rubrics, frame, items, due, status }: ReviewTask): ReviewRow {
  return {
    id,
    createdAt,
    rubrics: rubrics.map((rubric) => rubric.id),
    run: frame.run,
    items,
    due,
    status,
  };
}
