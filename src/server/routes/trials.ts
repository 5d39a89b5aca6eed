import { z } from 'zod';
import { countFacets } from '../../look/queries/facets.ts';
import { findRun } from '../../look/queries/runs.ts';
import { listTrials, mostRows } from '../../look/queries/trials.ts';
import type { Store, TrialCount } from '../../stores/store.ts';
import { keepAnswers } from '../keep-answers.ts';
import { type AddRoute, parseInput } from '../route.ts';

const inputSchema = z.object({
  where: z.string().optional(),
  sort: z.string().optional(),
  after: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(mostRows).default(100),
});

/**
 * The number of counts that are kept, and the most rows of one. Filters by the fields of facets share one: what follows from a choice
 * of values is computed from it, so that of a large run only the first takes time.
 */
const most = { counts: 20, rows: 10_000 };

/**
 * Adds `GET /api/runs/:run/trials`, a part of the list of trials of a run with one row for each case and target, and
 * `GET /api/runs/:run/facets`, the values that its filter could have with their counts.
 */
export const addTrials: AddRoute = (app, { openStore, shown }) => {
  const keep = keepAnswers<TrialCount[]>(most.counts, ({ length }) => length <= most.rows);
  app.get('/api/runs/:run/trials', async ({ req, json }) => {
    const store = await openStore();
    const input = parseInput(inputSchema, req.query());
    const run = await findRun(store, req.param('run'));
    const list = await listTrials(store, run, { ...input, fold: true });
    for (const { ordinal } of list.rows) shown.add(run.id, ordinal);
    return json(list);
  });
  app.get('/api/runs/:run/facets', async ({ req, json }) => {
    const store = await openStore();
    const { where } = parseInput(inputSchema.pick({ where: true }), req.query());
    const run = await findRun(store, req.param('run'));
    // A run that is not finished changes.
    if (run.finishedAt === undefined) return json(await countFacets(store, run, where));
    const of = [store.address, run.id, run.finishedAt];
    const countTrials: Store['countTrials'] = async (id, query) =>
      await keep(JSON.stringify([of, query]), async () => await store.countTrials(id, query));
    return json(await countFacets({ countTrials }, run, where));
  });
};
