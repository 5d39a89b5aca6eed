import { z } from 'zod';
import { equalTo } from '../../core/lib/filter/filter.ts';
import { formatFilter } from '../../core/lib/filter/format-filter.ts';
import { listRunHeads, listRunValues, readProgress, type RunHeadState } from '../../look/queries/runs.ts';
import { makeRunRow, runState } from '../../look/report/rows/run-row.ts';
import type { RunList, RunRow } from '../../core/schema/api/run-row.ts';
import type { Store } from '../../stores/store.ts';
import { type AddRoute, parseInput } from '../route.ts';

const mostRuns = 100;

const inputSchema = z.object({
  limit: z.coerce.number().int().min(1).max(mostRuns).default(mostRuns),
  /** The id of a run; the list continues with the runs before it. */
  before: z.string().optional(),
  dataset: z.string().optional(),
  target: z.string().optional(),
  branch: z.string().optional(),
});
type RunsInput = z.infer<typeof inputSchema>;

/**
 * Adds `GET /api/runs`: the runs of the store, the newest first, of a dataset, target or branch where one is named; and
 * `GET /api/run-values`, the datasets, targets and branches that can be named.
 */
export const addRuns: AddRoute = (app, { openStore }) => {
  app.get('/api/runs', async ({ req, json }) => {
    const input = parseInput(inputSchema, req.query());
    return json(await listRuns(await openStore(), input));
  });
  app.get('/api/run-values', async ({ json }) => json(await listRunValues(await openStore())));
};

async function listRuns(store: Store, { before, limit, ...named }: RunsInput): Promise<RunList> {
  const where = formatFilter(
    Object.entries(named).flatMap(([field, value]) => (value === undefined ? [] : [equalTo(field, [value])])),
  );
  const found = await listRunHeads(store, { where: where === '' ? [] : [where], before, limit: limit + 1 });
  const runs = await Promise.all(found.slice(0, limit).map((one) => toRow(one, store)));
  return { runs, next: found.length > limit ? (runs.at(-1)?.id ?? null) : null };
}

async function toRow({ run, isEnded }: RunHeadState, store: Store): Promise<RunRow> {
  return makeRunRow(run, runState(run, isEnded), await readProgress({ run, isEnded }, store));
}
