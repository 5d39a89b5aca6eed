import { z } from 'zod';
import { planFrom } from '../../look/queries/plan.ts';
import { type AddRoute, openRun, parseInput } from '../route.ts';

const inputSchema = z.object({
  target: z.string().optional(),
  /** The difference to detect, in percentage points. */
  difference: z.coerce.number().gt(0).lte(100).default(5),
});

/** Adds `GET /api/runs/:run/plan`: how many questions it takes to see a difference, as `touchstone plan` computes it. */
export const addPlan: AddRoute = (app, { openStore }) => {
  app.get('/api/runs/:run/plan', async ({ req, json }) => {
    const { target, difference } = parseInput(inputSchema, req.query());
    const { store, run } = await openRun(openStore, req);
    const targets = target === undefined ? undefined : [target];
    return json(await planFrom(run, store, { targets, difference: difference / 100, power: 0.8 }));
  });
};
