import { z } from 'zod';
import { readProgress } from '../../queries/runs.ts';
import { makeRunRow, runState } from '../../report/run-row.ts';
import { isEnded } from '../../run/prepare/is-ended.ts';
import type { RunList, RunRow } from '../../schema/api/run-row.ts';
import type { Run } from '../../schema/run.ts';
import { readRuns, type Store } from '../../stores/store.ts';
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

/** Adds `GET /api/runs`: the runs of the store, the newest first, of a dataset, target or branch where one is named. */
export const addRuns: AddRoute = (app, { openStore }) => {
  app.get('/api/runs', async ({ req, json }) => {
    const input = parseInput(inputSchema, req.query());
    return json(await listRuns(await openStore(), input));
  });
};

async function listRuns(store: Store, input: RunsInput): Promise<RunList> {
  const runs: RunRow[] = [];
  for await (const run of readRuns(store, { before: input.before })) {
    if (!isSelected(run, input)) continue;
    if (runs.length === input.limit) return { runs, next: runs.at(-1)?.id ?? null };
    runs.push(await toRow(run, store));
  }
  return { runs, next: null };
}

function isSelected({ dataset, targets, git }: Run, input: RunsInput): boolean {
  return (
    (input.dataset === undefined || dataset.sources.includes(input.dataset)) &&
    (input.target === undefined || targets.some(({ name }) => name === input.target)) &&
    (input.branch === undefined || git?.branch === input.branch)
  );
}

async function toRow(run: Run, store: Store): Promise<RunRow> {
  const ended = await isEnded(run, store);
  return makeRunRow(run, runState(run, ended), await readProgress({ run, isEnded: ended }, store));
}
