import { z } from 'zod';
import { predict } from '../../people/feedback/predict.ts';
import { listRated, readUserRecord, selectRated } from '../../people/feedback/rated-answers.ts';
import { summarizeFeedback } from '../../people/feedback/summarize.ts';
import type { FeedbackView } from '../../core/schema/api/feedback-view.ts';
import { periodLengths, saidChoices } from '../../core/schema/api/record-counts.ts';
import { timeNow } from '../../core/lib/time.ts';
import type { Store } from '../../stores/store.ts';
import { keepWhileUnchanged } from '../keep-answers.ts';
import { type AddRoute, parseInput } from '../route.ts';
import { countFeedback, matchFeedback } from '../../stores/feedback/feedback-records.ts';

const summarySchema = z.object({
  by: z.enum(periodLengths).default('week'),
  target: z.string().optional(),
});

const answersSchema = summarySchema.extend({
  period: z.string().optional(),
  category: z.string().optional(),
  said: z.enum(saidChoices).default('reacted'),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
});

/** The numbers of answers of each kind that are cached: pages ask for the same few again and again. */
const mostKept = 20;

/**
 * Adds the routes about what users said:
 * - `GET /api/feedback/size`: how many records there are, without reading them;
 * - `GET /api/feedback/summary`: the numbers by period, category and target, and whether scores predict them;
 * - `GET /api/feedback/answers`: the answers behind a number.
 */
export const addFeedback: AddRoute = (app, { openStore, shown }) => {
  const keepView = keepWhileUnchanged<FeedbackView>(mostKept);
  const keepRated = keepWhileUnchanged<ReturnType<typeof listRated>>(mostKept);
  app.get('/api/feedback/size', async ({ json }) =>
    json({ counts: await countFeedback((await openStore()).documents) }),
  );
  app.get('/api/feedback/summary', async ({ req, json }) => {
    const input = parseInput(summarySchema, req.query());
    const store = await openStore();
    await matchFeedback(store, timeNow());
    const view = await keepView(store, input, async () => await readView(store, input));
    shown.addAll(view);
    return json(view);
  });
  app.get('/api/feedback/answers', async ({ req, json }) => {
    const input = parseInput(answersSchema, req.query());
    const store = await openStore();
    await matchFeedback(store, timeNow());
    const rated = await keepRated(store, input, async () => {
      const { by, limit, ...choice } = input;
      const { answers } = await readUserRecord(store, timeNow());
      return listRated(selectRated(answers, { ...choice, length: by }), limit);
    });
    shown.addAll(rated);
    return json(rated);
  });
};

async function readView(store: Store, { by, target }: z.output<typeof summarySchema>): Promise<FeedbackView> {
  const record = await readUserRecord(store, timeNow());
  const answers = selectRated(record.answers, { target });
  const counts = await countFeedback(store.documents);
  const summary = summarizeFeedback({ ...record, answers }, { counts, length: by });
  // All targets stay on the page, so that another one can be chosen.
  const { targets } = summarizeFeedback(record, { counts, length: by });
  return { summary: { ...summary, targets }, prediction: predict(answers) };
}
