import { z } from 'zod';
import { readJudgementsOf } from '../../look/queries/case.ts';
import { cutLong } from '../cut-long.ts';
import { type AddRoute, openRun, parseInput } from '../route.ts';

const inputSchema = z.object({ ordinal: z.coerce.number().int().nonnegative() });

/**
 * Adds `GET /api/runs/:run/trials/:ordinal/judgements`: the questions to judges that the verdicts on a trial are based on, with
 * prompts, raw replies and reasoning. Long texts are cut.
 */
export const addJudgements: AddRoute = (app, { openStore, shown }) => {
  app.get('/api/runs/:run/trials/:ordinal/judgements', async ({ req, json }) => {
    const { ordinal } = parseInput(inputSchema, { ordinal: req.param('ordinal') });
    const { store, run } = await openRun(openStore, req);
    shown.add(run.id, ordinal);
    const { value, cuts } = cutLong(await readJudgementsOf(store, run, ordinal), '/judgements');
    return json({ judgements: value, cuts });
  });
};
