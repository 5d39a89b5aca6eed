import { z } from 'zod';
import { countFacets, listFieldValues } from '../../look/queries/facets.ts';
import { listTrials, mostRows } from '../../look/queries/trials.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store, TraitCount, TrialCount } from '../../stores/store.ts';
import { keepWhenFinished } from '../keep-answers.ts';
import { type AddRoute, openRun, parseInput } from '../route.ts';

const inputSchema = z.object({
  where: z.string().optional(),
  sort: z.string().optional(),
  after: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(mostRows).default(100),
});

/** A field whose values are asked for, and what they contain. */
const valuesSchema = z.object({ field: z.string().max(1000), text: z.string().max(1000).optional() });

/**
 * The number of counts that are cached, and the most rows of one. Filters by the fields of facets share one: what follows from a choice
 * of values is computed from it, so for a large run only the first takes time.
 */
const most = { counts: 20, rows: 10_000 };

/**
 * Adds `GET /api/runs/:run/trials`, a part of the list of trials of a run with one row for each case and target, and
 * `GET /api/runs/:run/facets`, the values that its filter could have with their counts, and `GET /api/runs/:run/values`, the values of one
 * field, while it is typed.
 */
export const addTrials: AddRoute = (app, { openStore, shown }) => {
  const keepTraits = keepWhenFinished<TraitCount[]>(most.counts, ({ length }) => length <= most.rows);
  const keep = keepWhenFinished<TrialCount[]>(most.counts, ({ length }) => length <= most.rows);
  app.get('/api/runs/:run/trials', async ({ req, json }) => {
    const input = parseInput(inputSchema, req.query());
    const { store, run } = await openRun(openStore, req);
    const list = await listTrials(store, run, { ...input, fold: true });
    for (const { ordinal } of list.rows) shown.add(run.id, ordinal);
    return json(list);
  });
  app.get('/api/runs/:run/facets', async ({ req, json }) => {
    const { where } = parseInput(inputSchema.pick({ where: true }), req.query());
    const { store, run } = await openRun(openStore, req);
    return json(await countFacets(countingIn(store, run), run, where));
  });
  app.get('/api/runs/:run/values', async ({ req, json }) => {
    const input = parseInput(valuesSchema, req.query());
    const { store, run } = await openRun(openStore, req);
    return json(await listFieldValues(countingIn(store, run), run, input));
  });

  /** Returns the methods that count, with the memory of the last counts. */
  function countingIn(store: Store, run: Run): Pick<Store, 'countTrials' | 'countTraits'> {
    return {
      countTrials: async (id, query) =>
        await keep(store, [run], query, async () => await store.countTrials(id, query)),
      countTraits: async (id, query) =>
        await keepTraits(store, [run], query, async () => await store.countTraits(id, query)),
    };
  }
};
