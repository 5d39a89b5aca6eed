import { TouchstoneError } from '../../errors.ts';
import { deleteRuns, findRun, readProgress } from '../../queries/runs.ts';
import { adviseOn } from '../../report/advice.ts';
import { collectFindings } from '../../report/findings.ts';
import { ofPlainTargets } from '../../report/report-input.ts';
import { runState } from '../../report/run-row.ts';
import { toRunHead } from '../../schema/api/run-head.ts';
import { isEnded } from '../../run/prepare/is-ended.ts';
import { readSummary } from '../../run/summarize.ts';
import type { Run } from '../../schema/run.ts';
import type { Summary } from '../../schema/summary.ts';
import type { Store } from '../../stores/store.ts';
import type { AddRoute } from '../route.ts';

/**
 * Adds `GET /api/runs/:run`: a run with its numbers, named as on the command line; and `DELETE`, which removes it with all
 * of its records, by its whole id alone.
 */
export const addRun: AddRoute = (app, { openStore, storeFolder }) => {
  app.get('/api/runs/:run', async ({ req, json }) => {
    const store = await openStore();
    const run = await findRun(store, req.param('run'));
    return json({ ...(await viewRun(run, store)), storeFolder });
  });
  app.delete('/api/runs/:run', async ({ req, json }) => {
    const store = await openStore();
    const id = req.param('run');
    if ((await store.readRun(id)) === undefined) {
      throw new TouchstoneError('run-not-found', `There is no run "${id}".`);
    }
    await deleteRuns([id], store);
    return json({ deleted: id });
  });
};

async function viewRun(run: Run, store: Store) {
  const { summary: _, ...record } = run;
  const ended = await isEnded(run, store);
  const state = runState(run, ended);
  const isActive = state === 'planning' || state === 'running' || state === 'importing';
  const summary = isActive ? null : await readSummary(run, store);
  return {
    run: record,
    state,
    summary,
    progress: await readProgress({ run: toRunHead(run), isEnded: ended }, store),
    advice: summary === null ? [] : await listAdvice(run, summary, store),
  };
}

async function listAdvice(run: Run, summary: Summary, store: Store) {
  const results = (ordinals?: readonly number[]) => store.readResults(run.id, ordinals);
  const reported = await collectFindings(ofPlainTargets({ run, summary, results }));
  return reported.map((one) => ({ target: one.target.target, items: adviseOn(one) }));
}
