import { TouchstoneError } from '../../errors.ts';
import { fileOfBaseline, listBaselines, readBaselineFile, saveBaseline } from '../../gate/baselines.ts';
import { makeBaseline } from '../../gate/make-baseline.ts';
import { findRun } from '../../queries/runs.ts';
import { newBaselineSchema } from '../../schema/api/baseline-row.ts';
import { type AddRoute, parseInput, readBody } from '../route.ts';

/** Adds `GET` and `POST /api/baselines`: the runs that later runs are compared with. */
export const addBaselines: AddRoute = (app, { openStore }) => {
  app.get('/api/baselines', async ({ json }) => {
    const { folder } = await openStore();
    if (folder === undefined) return json([]);
    const names = await listBaselines(folder);
    const all = await Promise.all(names.map((name) => readBaselineFile(fileOfBaseline(folder, name))));
    return json(all.map(({ name, run }) => ({ name, run: run.id })));
  });
  app.post('/api/baselines', async ({ req, json }) => {
    const { name, run: given } = parseInput(newBaselineSchema, await readBody(req));
    const store = await openStore();
    const run = await findRun(store, given);
    if (store.folder === undefined) {
      throw new TouchstoneError('request-invalid', 'A store in memory has no baselines.');
    }
    await saveBaseline(store.folder, await makeBaseline(name, run, store));
    return json({ name, run: run.id });
  });
};
