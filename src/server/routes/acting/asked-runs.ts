import { TouchstoneError } from '../../../core/errors.ts';
import { askAgainCommand, type AskedAgain } from '../../../core/schema/api/acting/ask-again.ts';
import { type AskedRunView, confirmationSchema } from '../../../core/schema/api/acting/asked-run.ts';
import { askForRun, confirmAsked, readAsked, withdrawAsked } from '../../../library/api/asked/asked-runs.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Store } from '../../../stores/store.ts';
import { type AddRoute, parseInput, readBody } from '../../route.ts';

/**
 * Adds the runs that a person asks of the workers of a server, which has neither a config nor bots: `GET /api/asked-runs/:asked`, what has
 * become of one; `POST …/confirmation`, which lets a worker begin what it has planned; and `DELETE`, which withdraws it.
 */
export const addAskedRuns: AddRoute = (app, { openStore, isBegunByWorkers = false }) => {
  if (!isBegunByWorkers) return;
  app.get('/api/asked-runs/:asked', async ({ req, json }) =>
    json(await viewAsked(await openStore(), req.param('asked'))),
  );
  app.post('/api/asked-runs/:asked/confirmation', async ({ req, json }) => {
    const limits = parseInput(confirmationSchema, await readBody(req));
    const [store, id] = [await openStore(), req.param('asked')];
    await confirmAsked(store, id, limits);
    return json(await viewAsked(store, id));
  });
  app.delete('/api/asked-runs/:asked', async ({ req, json }) => {
    const [store, id] = [await openStore(), req.param('asked')];
    await viewAsked(store, id);
    return json({ withdrawn: await withdrawAsked(store, id) });
  });
};

/** Asks the workers to plan the questions of a run again. */
export async function askWorkers(
  store: Store,
  { run, asked, by }: { readonly run: Run; readonly asked: AskedAgain; readonly by: string },
): Promise<AskedRunView> {
  const { id } = await askForRun(store, { by, wanted: { type: 'again', run: run.id, asked } });
  return await viewAsked(store, id);
}

/** Returns a run that was asked for, for a page. Throws `address-unknown`. */
async function viewAsked(store: Store, id: string): Promise<AskedRunView> {
  const found = await readAsked(store, id);
  if (found === undefined)
    throw new TouchstoneError('address-unknown', 'Nothing is asked for under this id.');
  const { asked, workers } = found;
  const { state, planned, run, refusal, wanted } = asked;
  const again =
    wanted.type === 'again' && planned !== undefined ? await store.readRun(wanted.run) : undefined;
  const command =
    again !== undefined && wanted.type === 'again' ? askAgainCommand({ run: again }, wanted.asked) : '';
  const plan = planned === undefined ? undefined : { text: planned.text, command };
  return { id, state, workers, plan, run, refusal };
}
