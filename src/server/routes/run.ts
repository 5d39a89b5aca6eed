import { TouchstoneError } from '../../core/errors.ts';
import { deleteRuns, readProgress } from '../../look/queries/runs.ts';
import { incompleteStates, runState } from '../../look/report/rows/run-row.ts';
import { makeRunView } from '../../look/report/run-view.ts';
import { listedQuestion } from '../../core/schema/case.ts';
import { toRunHead } from '../../core/schema/api/to-run-head.ts';
import { isEnded } from '../../evaluate/run/prepare/is-ended.ts';
import { readSummary } from '../../evaluate/run/summarize.ts';
import type { RunView } from '../../core/schema/api/run-view.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';
import { runLabelChangeSchema } from '../../core/schema/api/run-head.ts';
import { editRun } from '../../evaluate/run/run-label.ts';
import { type AddRoute, openRun, parseInput, readBody } from '../route.ts';

/**
 * Adds `GET /api/runs/:run`: a run with its numbers, named as on the command line; `PATCH`, which changes its name, note and tags
 * next to its record; and `DELETE`, which removes it with all of its records, by its whole id alone.
 */
export const addRun: AddRoute = (app, { openStore, storeFolder, person = async () => undefined }) => {
  app.get('/api/runs/:run', async ({ req, json }) => {
    const { store, run } = await openRun(openStore, req);
    return json(await viewRun(run, store, storeFolder));
  });
  app.patch('/api/runs/:run', async ({ req, json }) => {
    const change = parseInput(runLabelChangeSchema, await readBody(req));
    const store = await openStore();
    const run = await requireRun(store, req.param('run'));
    const { label, notices } = await editRun(run, { ...change, by: await person() }, store);
    return json({ run: run.id, ...label, notices });
  });
  app.delete('/api/runs/:run', async ({ req, json }) => {
    const store = await openStore();
    const { id } = await requireRun(store, req.param('run'));
    await deleteRuns([id], store);
    return json({ deleted: id });
  });
};

/** Reads a run by its whole id. Throws `run-not-found`. */
async function requireRun(store: Store, id: string): Promise<Run> {
  const run = await store.readRun(id);
  if (run === undefined) throw new TouchstoneError('run-not-found', `There is no run "${id}".`);
  return run;
}

async function viewRun(run: Run, store: Store, storeFolder: string | undefined): Promise<RunView> {
  const ended = await isEnded(run, store);
  const state = runState(run, ended);
  const isActive = incompleteStates.has(state);
  return await makeRunView({
    run,
    state,
    summary: isActive ? null : await readSummary(run, store),
    progress: await readProgress({ run: toRunHead(run), isEnded: ended }, store),
    results: (ordinals) => store.readResults(run.id, ordinals),
    storeFolder,
    findQuestion: async (id) => {
      const planned = await store.findCase(run.id, id);
      return planned && listedQuestion(planned.case);
    },
  });
}
