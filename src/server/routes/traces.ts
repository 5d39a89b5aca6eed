import { describeTrace } from '../../traces/describe-trace.ts';
import type { AddRoute } from '../route.ts';

/** Adds `GET /api/traces/:trace`: a stored trace with its feedback, the cases made of it, and how runs did on them. */
export const addTraces: AddRoute = (app, { openStore, shown }) => {
  app.get('/api/traces/:trace', async ({ req, json }) => {
    const described = await describeTrace(await openStore(), req.param('trace'));
    shown.addAll(described);
    return json(described);
  });
};
