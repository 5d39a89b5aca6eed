import { describeTrace, listTraceRows } from '../../cases/traces/describe-trace.ts';
import { z } from 'zod';
import { type AddRoute, parseInput } from '../route.ts';

const inputSchema = z.object({
  /** A text that the question, the answer, the error or a tool has. */
  text: z.string().max(1000).optional(),
});

/** The largest number of traces in a list. */
const mostTraces = 100;

/** Adds `GET /api/traces`, the newest traces, and `GET /api/traces/:trace`, a stored trace with its feedback, the cases made of it, and how runs did on them. */
export const addTraces: AddRoute = (app, { openStore, shown }) => {
  app.get('/api/traces', async ({ req, json }) => {
    const { text } = parseInput(inputSchema, req.query());
    return json(await listTraceRows(await openStore(), mostTraces, text));
  });
  app.get('/api/traces/:trace', async ({ req, json }) => {
    const described = await describeTrace(await openStore(), req.param('trace'));
    shown.addAll(described);
    return json(described);
  });
};
