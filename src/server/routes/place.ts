import { z } from 'zod';
import { findPlace, type ListChoice, readListOrder } from '../../look/queries/place-in-list.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';
import { keepWhenFinished } from '../keep-answers.ts';
import { type AddRoute, openRun, parseInput } from '../route.ts';

const inputSchema = z.object({
  ordinal: z.coerce.number().int().nonnegative(),
  where: z.string().optional(),
  sort: z.string().optional(),
  /** A further filter: the trials before and after are the nearest in the list that match it, too. */
  among: z.string().optional(),
});

/** The number of lists whose order is remembered, so that walking along one reads it once. */
const mostLists = 3;

/** Adds `GET /api/runs/:run/trials/:ordinal/place`: the place of a trial in a list, and the trials before and after it. */
export const addPlace: AddRoute = (app, { openStore }) => {
  const keep = keepWhenFinished<Uint32Array>(mostLists);
  const orderOf = async (store: Store, run: Run, choice: ListChoice): Promise<Uint32Array> =>
    await keep(
      store,
      [run],
      [choice.where, choice.sort],
      async () => await readListOrder(store, run, choice),
    );
  app.get('/api/runs/:run/trials/:ordinal/place', async ({ req, json }) => {
    const { ordinal, among, ...choice } = parseInput(inputSchema, {
      ...req.query(),
      ordinal: req.param('ordinal'),
    });
    const { store, run } = await openRun(openStore, req);
    const order = await orderOf(store, run, choice);
    const place = findPlace(run, order, ordinal);
    if (among === undefined) return json(place);
    const where = `${choice.where ?? ''} ${among}`;
    const matching = await orderOf(store, run, { ...choice, where });
    return json({ ...place, ...findNearest(run, { order, matching, index: place.index ?? -1 }) });
  });
};

interface Narrowed {
  readonly order: Uint32Array;
  /** The ordinals of the list that match a further filter. */
  readonly matching: Uint32Array;
  /** The row from which one looks; -1 to look from before the first one. */
  readonly index: number;
}

/** Finds the matching trials that are nearest to a row of a list. */
function findNearest({ attempts }: Pick<Run, 'attempts'>, { order, matching, index }: Narrowed) {
  const rowOf = (ordinal: number): number => Math.floor(ordinal / attempts);
  const matches = new Map(Array.from(matching, (ordinal) => [rowOf(ordinal), ordinal]));
  const isMatch = (ordinal: number): boolean => matches.has(rowOf(ordinal));
  const found = (ordinal: number | undefined): number | null =>
    ordinal === undefined ? null : (matches.get(rowOf(ordinal)) ?? null);
  return {
    previous: found(order.subarray(0, Math.max(0, index)).findLast(isMatch)),
    next: found(order.subarray(index + 1).find(isMatch)),
  };
}
