import { z } from 'zod';
import { traceTrends } from '../../people/reviews/trace-trends.ts';
import type { RunHead } from '../../core/schema/api/run-head.ts';
import type { Trends } from '../../core/schema/trends.ts';
import { keepWhileUnchanged } from '../keep-answers.ts';
import { type AddRoute, parseInput } from '../route.ts';

/** The number of runs that `touchstone trends` shows by default. */
const usualRuns = 30;

/** The number of choices whose trends are cached. */
const mostKept = 20;

const inputSchema = z.object({
  dataset: z.string().optional(),
  target: z.string().optional(),
  branch: z.string().optional(),
  /** A metric in place of the score. */
  metric: z.string().optional(),
  last: z.coerce.number().int().min(1).default(usualRuns),
});
type TrendsInput = z.infer<typeof inputSchema>;

/**
 * Adds `GET /api/trends`: the score, or a metric, of every target, or of one, from run to run, as `touchstone trends` reports it. Only runs
 * of the named dataset, target and branch are considered.
 */
export const addTrends: AddRoute = (app, { openStore }) => {
  // The results of many runs are read for them. Runs, certificates, labels and rubrics can all change what they show.
  const keep = keepWhileUnchanged<Trends>(mostKept);
  app.get('/api/trends', async ({ req, json }) => {
    const [store, input] = [await openStore(), parseInput(inputSchema, req.query())];
    return json(await keep(store, input, async () => await traceTrends(store, toChoices(input))));
  });
};

function toChoices({ dataset, target, branch, metric, last }: TrendsInput) {
  const where = (run: RunHead): boolean =>
    (dataset === undefined || run.dataset.sources.includes(dataset)) &&
    (target === undefined || run.targets.includes(target));
  return { where, targets: target === undefined ? undefined : [target], branch, metric, last };
}
