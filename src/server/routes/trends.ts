import { z } from 'zod';
import { traceTrends } from '../../analysis/trends/trace-trends.ts';
import { type AddRoute, parseInput } from '../route.ts';

/** The number of runs that `touchstone trends` shows by default. */
const usualRuns = 30;

const inputSchema = z.object({
  target: z.string().optional(),
  branch: z.string().optional(),
  last: z.coerce.number().int().min(1).default(usualRuns),
});

/** Adds `GET /api/trends`: the score of every target, or of one, from run to run, as `touchstone trends` reports it. */
export const addTrends: AddRoute = (app, { openStore }) => {
  app.get('/api/trends', async ({ req, json }) => {
    const { target, branch, last } = parseInput(inputSchema, req.query());
    const targets = target === undefined ? undefined : [target];
    return json(await traceTrends(await openStore(), { targets, branch, last }));
  });
};
