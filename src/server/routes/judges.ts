import { describeJudge, listJudges } from '../../look/queries/judges.ts';
import type { AddRoute } from '../route.ts';

/** Adds `GET /api/judges`: the judges of the runs; and `GET /api/judges/:judge`: one with its judgements and its agreement. */
export const addJudges: AddRoute = (app, { openStore, shown }) => {
  app.get('/api/judges', async ({ json }) => json({ judges: await listJudges(await openStore()) }));
  app.get('/api/judges/:judge', async ({ req, json }) => {
    const view = await describeJudge(await openStore(), req.param('judge'));
    shown.addAll(view);
    return json(view);
  });
};
