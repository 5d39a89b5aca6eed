import { z } from 'zod';
import { countFacets } from '../../queries/facets.ts';
import { findRun } from '../../queries/runs.ts';
import { listTrials, mostRows } from '../../queries/trials.ts';
import { type AddRoute, parseInput } from '../route.ts';

const inputSchema = z.object({
  where: z.string().optional(),
  sort: z.string().optional(),
  after: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(mostRows).default(100),
});

/**
 * Adds `GET /api/runs/:run/trials`, a part of the list of trials of a run with one row for each case and target, and
 * `GET /api/runs/:run/facets`, the values that its filter could have with their counts.
 */
export const addTrials: AddRoute = (app, { openStore, shown }) => {
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
    return json(await countFacets(store, await findRun(store, req.param('run')), where));
  });
};
