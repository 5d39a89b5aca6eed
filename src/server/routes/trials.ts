import { z } from 'zod';
import { countFacets } from '../../queries/facets.ts';
import { findRun } from '../../queries/runs.ts';
import { listTrials, mostRows } from '../../queries/trials.ts';
import type { TrialFacets } from '../../schema/api/trial-facets.ts';
import { keepAnswers } from '../keep-answers.ts';
import { type AddRoute, parseInput } from '../route.ts';

const inputSchema = z.object({
  where: z.string().optional(),
  sort: z.string().optional(),
  after: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(mostRows).default(100),
});

/** The number of filters whose facets are kept, at most 200 values each. */
const mostFacets = 50;

/**
 * Adds `GET /api/runs/:run/trials`, a part of the list of trials of a run with one row for each case and target, and
 * `GET /api/runs/:run/facets`, the values that its filter could have with their counts.
 */
export const addTrials: AddRoute = (app, { openStore, shown }) => {
  const keep = keepAnswers<TrialFacets>(mostFacets);
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
    const count = async () => await countFacets(store, run, where);
    // A run that is not finished changes.
    if (run.finishedAt === undefined) return json(await count());
    return json(await keep(JSON.stringify([store.address, run.id, run.finishedAt, where]), count));
  });
};
