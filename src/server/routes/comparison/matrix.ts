import { z } from 'zod';
import type { MatrixCounts } from '../../../core/schema/api/comparison/matrix.ts';
import { countMatrix, findColumns, listMatrix, type MatrixTargets } from '../../../look/queries/matrix.ts';
import type { Store } from '../../../stores/store.ts';
import { keepWhenFinished } from '../../keep-answers.ts';
import { type AddRoute, parseInput } from '../../route.ts';

const inputSchema = z.object({
  /** `RUN:TARGET`, or `RUN` for all of its targets, with commas between them. */
  columns: z.string(),
  where: z.string().optional(),
  sort: z.string().optional(),
  after: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(100).default(100),
});

/** The numbers of matrices whose counts are cached: the counts of large runs take seconds. */
const mostKept = 20;

/**
 * Adds `GET /api/matrix`, a part of the questions that several targets or runs were asked, with the answers of all of them side by
 * side; and `GET /api/matrix/counts`, the numbers of its rows by how their cells turned out, and what does not pair.
 */
export const addMatrix: AddRoute = (app, { openStore, shown }) => {
  const keep = keepWhenFinished<MatrixCounts>(mostKept);
  app.get('/api/matrix', async ({ req, json }) => {
    const store = await openStore();
    const { columns, ...query } = parseInput(inputSchema, req.query());
    const list = await listMatrix(store, await findTargets(store, columns), query);
    for (const { cells } of list.rows)
      for (const [at, { ordinal }] of cells.entries()) {
        const run = list.columns[at]?.run;
        if (run !== undefined && ordinal !== null) shown.add(run, ordinal);
      }
    return json(list);
  });
  app.get('/api/matrix/counts', async ({ req, json }) => {
    const store = await openStore();
    const { columns, where } = parseInput(inputSchema.pick({ columns: true, where: true }), req.query());
    const targets = await findTargets(store, columns);
    const count = async () => await countMatrix(store, targets, where);
    const runs = targets.columns.map(({ run }) => run);
    const question = [targets.columns.map(({ target }) => target), where];
    return json(await keep(store, runs, question, count));
  });
};

async function findTargets(store: Store, columns: string): Promise<MatrixTargets> {
  return await findColumns(
    store,
    columns.split(',').filter((name) => name.trim() !== ''),
  );
}
