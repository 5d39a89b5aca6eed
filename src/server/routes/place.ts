import { z } from 'zod';
import { findPlace, type ListChoice, readListOrder } from '../../queries/place-in-list.ts';
import { findRun } from '../../queries/runs.ts';
import type { Run } from '../../schema/run.ts';
import type { Store } from '../../stores/store.ts';
import { keepAnswers } from '../keep-answers.ts';
import { type AddRoute, parseInput } from '../route.ts';

const inputSchema = z.object({
  ordinal: z.coerce.number().int().nonnegative(),
  where: z.string().optional(),
  sort: z.string().optional(),
});

/** The number of lists whose order is remembered, so that walking along one reads it once. */
const mostLists = 3;

/** Adds `GET /api/runs/:run/trials/:ordinal/place`: the place of a trial in a list, and the trials before and after it. */
export const addPlace: AddRoute = (app, { openStore }) => {
  const keep = keepAnswers<Uint32Array>(mostLists);
  const orderOf = async (store: Store, run: Run, choice: ListChoice): Promise<Uint32Array> => {
    const read = async () => await readListOrder(store, run, choice);
    // A run that is not finished changes.
    if (run.finishedAt === undefined) return await read();
    return await keep(
      JSON.stringify([store.address, run.id, run.finishedAt, choice.where, choice.sort]),
      read,
    );
  };
  app.get('/api/runs/:run/trials/:ordinal/place', async ({ req, json }) => {
    const { ordinal, ...choice } = parseInput(inputSchema, { ...req.query(), ordinal: req.param('ordinal') });
    const store = await openStore();
    const run = await findRun(store, req.param('run'));
    return json(findPlace(run, await orderOf(store, run, choice), ordinal));
  });
};
