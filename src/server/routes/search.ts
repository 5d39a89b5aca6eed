import { stream } from 'hono/streaming';
import { z } from 'zod';
import { searchTrials } from '../../look/queries/search.ts';
import { type AddRoute, openRun, parseInput } from '../route.ts';

const inputSchema = z.object({
  text: z.string(),
  where: z.string().optional(),
  after: z.coerce.number().int().min(0).optional(),
});

/** Adds `GET /api/runs/:run/search`: trials that contain a text, as they are found, a line of JSON each. */
export const addSearch: AddRoute = (app, { openStore }) => {
  app.get('/api/runs/:run/search', async (context) => {
    const { req } = context;
    const input = parseInput(inputSchema, req.query());
    const { store, run } = await openRun(openStore, req);
    // A page that leaves before anything is found ends the search as well.
    const lines = searchTrials(store, run, { ...input, signal: req.raw.signal });
    // The first line is found before the status is sent, so that an invalid search is refused.
    const first = await lines.next();
    context.header('Content-Type', 'application/x-ndjson');
    return stream(context, async (output) => {
      for (let { done, value } = first; done !== true; { done, value } = await lines.next()) {
        if (output.aborted) break;
        await output.write(`${JSON.stringify(value)}\n`);
      }
      await lines.return(undefined);
    });
  });
};
