import { releaseItems } from '../../stores/reviews/reservations.ts';
import { z } from 'zod';
import { readCardContent } from '../../people/reviews/cards.ts';
import { addLabels, correct, skip, undo } from '../../people/reviews/give-labels.ts';
import { nextItems, reveal } from '../../people/reviews/next-items.ts';
import {
  correctionRequestSchema,
  labelsRequestSchema,
  nextItemsRequestSchema,
  releaseRequestSchema,
  revealRequestSchema,
  skipRequestSchema,
  undoRequestSchema,
} from '../../core/schema/api/review/request.ts';
import { cutLong, partAt } from '../cut-long.ts';
import { type AddRoute, parseInput, readBody } from '../route.ts';
import { sendPart } from '../send-part.ts';
import { readItems } from '../../stores/reviews/review-records.ts';

const base = '/api/reviews/:task';

/**
 * Adds the routes by which a person works on a review task. Each answers once its records are on disk. The name of the person is
 * in the body, since addresses end up in histories. Before the label, no answer contains the verdict of a judge, the score,
 * the name of the target, or the labels of others, except those that a dispute is about.
 */
export const addReviewWork: AddRoute = (app, context) => {
  addItems(app, context);
  addAnswers(app, context);
  addAfterwards(app, context);
};

/** Adds `next`, which reserves the next items of a person; `release`, which gives them back; and the parts of long items. */
const addItems: AddRoute = (app, { openStore }) => {
  app.post(`${base}/next`, async ({ req, json }) => {
    const { count, ...reviewer } = parseInput(nextItemsRequestSchema, await readBody(req));
    const { cards, gone, hasMore } = await nextItems(await openStore(), req.param('task'), reviewer, count);
    const cut = cards.map(({ item, purpose, until, turn, ...content }) => {
      const { value, cuts } = cutLong(content, '');
      return { item, purpose, until, turn, ...value, cuts };
    });
    return json({ cards: cut, gone, hasMore });
  });
  app.post(`${base}/release`, async ({ req, json }) => {
    const { person } = parseInput(releaseRequestSchema, await readBody(req));
    const { documents } = await openStore();
    await releaseItems(documents, { task: req.param('task'), person });
    return json({ stored: true });
  });
  // The order of a pair is in the address, and not its parameters, which name the part alone.
  const parts = [`${base}/items/:item/part`, `${base}/items/:item/:turn/part`] as const;
  for (const address of parts) {
    app.get(address, async (context) => {
      const { task = '', item, turn } = context.req.param() as Readonly<Record<string, string | undefined>>;
      const input = parseInput(partSchema, { ...context.req.query(), item, turn });
      const content = await readCardContent(await openStore(), task, input.item, input.turn);
      return sendPart(context, partAt(content, input.path), input);
    });
  }
};

const partSchema = z.object({
  item: z.coerce.number().int().nonnegative(),
  /** For a pair: the value on the card. */
  turn: z
    .enum(['0', '1'])
    .transform((turn): 0 | 1 => (turn === '1' ? 1 : 0))
    .optional(),
  path: z.string().startsWith('/'),
  download: z.string().optional(),
});

/** The parts that a person has seen who opened the answer, or a list that contains it, on another page. */
const seenElsewhere = { verdict: 'shown', score: 'shown', target: 'shown' } as const;

/** Adds what a person does with an item: `labels`, the decision of a dispute included; `skips`; and `undo`. */
const addAnswers: AddRoute = (app, { openStore, shown }) => {
  app.post(`${base}/labels`, async ({ req, json }) => {
    const { person, ...answer } = parseInput(labelsRequestSchema, await readBody(req));
    const [store, task] = [await openStore(), req.param('task')];
    const [item] = await readItems(store.documents, task, [answer.item]);
    const { subject } = item ?? {};
    const sides = [subject, subject?.against].flatMap((each) => each ?? []);
    const seenSides = await Promise.all(sides.map((each) => shown.has({ caseId: subject?.caseId, ...each })));
    const isSeen = seenSides.includes(true);
    const seen = isSeen ? { shown: seenElsewhere } : {};
    await addLabels(store, task, { person }, { ...answer, ...seen });
    return json({ stored: true });
  });
  app.post(`${base}/skips`, async ({ req, json }) => {
    const { person, ...answer } = parseInput(skipRequestSchema, await readBody(req));
    await skip(await openStore(), req.param('task'), { person }, answer);
    return json({ stored: true });
  });
  app.post(`${base}/undo`, async ({ req, json }) => {
    const { item, id, ...reviewer } = parseInput(undoRequestSchema, await readBody(req));
    const undone = await undo(await openStore(), req.param('task'), reviewer, { item, id });
    return json({ item: undone ?? null });
  });
};

/** Adds what comes after the label: `reveal`, the verdicts of the judge and the labels of others; and `corrections`. */
const addAfterwards: AddRoute = (app, { openStore }) => {
  app.post(`${base}/reveal`, async ({ req, json }) => {
    const { person, item } = parseInput(revealRequestSchema, await readBody(req));
    const { value, cuts } = cutLong(
      await reveal(await openStore(), req.param('task'), { person }, item),
      '/revealed',
    );
    return json({ ...value, cuts });
  });
  app.post(`${base}/corrections`, async ({ req, json }) => {
    const { person, ...correction } = parseInput(correctionRequestSchema, await readBody(req));
    await correct(await openStore(), req.param('task'), { person }, correction);
    return json({ stored: true });
  });
};
