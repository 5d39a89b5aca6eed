import type { Context } from 'hono';
import { z } from 'zod';
import {
  listSiblings,
  readCaseOf,
  readHistory,
  readJudgementsOf,
  readTrial,
} from '../../look/queries/case.ts';
import type { Result } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';
import { cutLong, partAt } from '../cut-long.ts';
import { type AddRoute, openRun, parseInput } from '../route.ts';
import { sendPart } from '../send-part.ts';

const placeSchema = z.object({ ordinal: z.coerce.number().int().nonnegative() });
const messagesSchema = z.object({ from: z.coerce.number().int().nonnegative() });
const partSchema = z.object({
  path: z.string().regex(/^\/(?:result|judgements)(?:\/|$)/),
  download: z.string().optional(),
});

/** The largest number of messages that are sent at a time. */
const most = { messages: 100 };

/**
 * Adds the routes of one trial, `GET /api/runs/:run/trials/:ordinal`: everything that is known about it, with long texts cut;
 * below it the further `messages` of the transcript, a `part` that was cut, and the `history` of its case in other runs.
 */
export const addTrial: AddRoute = (app, { openStore, storeFolder, shown }) => {
  const path = '/api/runs/:run/trials/:ordinal';
  const open = async ({ req }: Context) => {
    const { ordinal } = parseInput(placeSchema, { ordinal: req.param('ordinal') });
    const { store, run } = await openRun(openStore, req);
    return { store, run, ordinal };
  };
  app.get(path, async (context) => {
    const { store, run, ordinal } = await open(context);
    const view = await viewTrial(store, run, ordinal);
    for (const each of [{ ordinal }, ...view.trials]) shown.add(run.id, each.ordinal);
    return context.json({ ...view, storeFolder });
  });
  app.get(`${path}/messages`, async (context) => {
    const { from } = parseInput(messagesSchema, context.req.query());
    const { store, run, ordinal } = await open(context);
    const { trial } = await readTrial(store, run, ordinal);
    // The paths of what is cut count from the beginning of the transcript.
    const part = Object.fromEntries(
      trial.transcript.slice(from, from + most.messages).map((message, index) => [from + index, message]),
    );
    const { value, cuts } = cutLong(part, '/result/trial/transcript');
    return context.json({ messages: Object.values(value), cuts });
  });
  app.get(`${path}/part`, async (context) => {
    const input = parseInput(partSchema, context.req.query());
    const { store, run, ordinal } = await open(context);
    shown.add(run.id, ordinal);
    const whole = input.path.startsWith('/judgements')
      ? { judgements: await readJudgementsOf(store, run, ordinal) }
      : { result: await readTrial(store, run, ordinal) };
    return sendPart(context, partAt(whole, input.path), input);
  });
  app.get(`${path}/history`, async (context) => {
    const { store, run, ordinal } = await open(context);
    const planned = await readCaseOf(store, run, ordinal);
    const history = planned === undefined ? { runs: [] } : await readHistory(store, run, planned);
    shown.addAll(history);
    return context.json(history);
  });
};

async function viewTrial(store: Store, run: Run, ordinal: number) {
  const { summary: _, ...record } = run;
  const result = await readTrial(store, run, ordinal);
  const { transcript } = result.trial;
  const beginning: Result = {
    ...result,
    trial: { ...result.trial, transcript: transcript.slice(0, most.messages) },
  };
  const { value, cuts } = cutLong(beginning, '/result');
  return {
    run: record,
    result: value,
    messages: transcript.length,
    place: (await readCaseOf(store, run, ordinal))?.place ?? '',
    trials: await listSiblings(store, run, ordinal),
    cuts,
  };
}
