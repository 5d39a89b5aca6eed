import { z } from 'zod';
import { readGrids } from '../../../look/queries/grids.ts';
import { type AddRoute, openRun, parseInput } from '../../route.ts';

const inputSchema = z.object({
  /** The loss up to which a cheaper combination is as good, in percentage points. */
  within: z.coerce.number().min(0).lt(100).optional(),
});

/** Adds `GET /api/runs/:run/grid`: the grids of settings of a run, as `touchstone grid` shows them. */
export const addGrid: AddRoute = (app, { openStore }) => {
  app.get('/api/runs/:run/grid', async ({ req, json }) => {
    const { within } = parseInput(inputSchema, req.query());
    const { store, run } = await openRun(openStore, req);
    return json(await readGrids(run, store, within === undefined ? undefined : within / 100));
  });
};
