import type { HonoRequest } from 'hono';
import { z } from 'zod';
import {
  askAgainArguments,
  askAgainCommand,
  askAgainSchema,
  type AskAgainPlan,
} from '../../../core/schema/api/acting/ask-again.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { requestStop } from '../../../evaluate/run/limits/stop-request.ts';
import { type AddRoute, openRun, parseInput, readBody } from '../../route.ts';
import { askWorkers } from './asked-runs.ts';
import { requireOwnCommand } from './own-command.ts';

/**
 * Adds `POST /api/runs/:run/stop`, which asks the process of a run to stop it. Where runs can be begun, adds `POST
 * /api/runs/:run/plans`, what asking questions again would take, and `POST /api/runs/:run/again`, which asks them in a new run. Where workers
 * begin runs, the first one asks them for the plan.
 */
export const addAskAgain: AddRoute = (
  app,
  { openStore, storeFolder, folder = process.cwd(), asking, isBegunByWorkers = false, person },
) => {
  app.post('/api/runs/:run/stop', async ({ req, json }) => {
    parseInput(z.object({}), await readBody(req));
    const { store, run } = await openRun(openStore, req);
    if (run.status !== 'running' && run.status !== 'planning')
      throw new TouchstoneError('usage-invalid', `Run ${run.id} is not under way.`, {
        remedy: 'There is nothing to stop.',
      });
    await requestStop(run.id, store, { by: await person?.() });
    return json({ run: run.id });
  });
  const readQuestions = async (req: HonoRequest) => {
    const asked = parseInput(askAgainSchema, await readBody(req));
    const { run } = await openRun(openStore, req);
    const other = asked.targets.find((name) => run.targets.every((target) => target.name !== name));
    if (other !== undefined)
      throw new TouchstoneError('request-invalid', `Run ${run.id} has no target ${JSON.stringify(other)}.`);
    return { asked, run };
  };
  if (isBegunByWorkers)
    app.post('/api/runs/:run/plans', async ({ req, json }) => {
      const by = (await person?.()) ?? 'unknown';
      return json(await askWorkers(await openStore(), { ...(await readQuestions(req)), by }));
    });
  if (asking === undefined) return;
  const readAsked = async (req: HonoRequest) => {
    const { asked, run } = await readQuestions(req);
    requireOwnCommand(run, folder);
    return { asked, input: { run, storeFolder } };
  };
  app.post('/api/runs/:run/plans', async ({ req, json }) => {
    const { asked, input } = await readAsked(req);
    const plan: AskAgainPlan = {
      command: askAgainCommand(input, asked),
      text: await asking.plan(askAgainArguments(input, asked)),
    };
    return json(plan);
  });
  app.post('/api/runs/:run/again', async ({ req, json }) => {
    const { asked, input } = await readAsked(req);
    return json({ run: await asking.start(askAgainArguments(input, asked)) });
  });
};
