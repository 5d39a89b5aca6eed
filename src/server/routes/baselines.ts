import { makeBaseline } from '../../decide/gate/make-baseline.ts';
import { findRun } from '../../look/queries/runs.ts';
import { newBaselineSchema } from '../../core/schema/api/baseline-row.ts';
import { type AddRoute, parseInput, readBody } from '../route.ts';
import { baselineKind } from '../../stores/kinds/baseline.ts';
import { putDocuments } from '../../stores/documents/document-store.ts';

/** Adds `GET` and `POST /api/baselines`: the runs that later runs are compared with. */
export const addBaselines: AddRoute = (app, { openStore }) => {
  app.get('/api/baselines', async ({ json }) => {
    const { documents } = await openStore();
    const all = await Array.fromAsync(documents.list(baselineKind));
    return json(all.map(({ name, run }) => ({ name, run: run.id })));
  });
  app.post('/api/baselines', async ({ req, json }) => {
    const { name, run: given } = parseInput(newBaselineSchema, await readBody(req));
    const store = await openStore();
    const run = await findRun(store, given);
    await putDocuments(store.documents, baselineKind, [await makeBaseline(name, run, store)]);
    return json({ name, run: run.id });
  });
};
