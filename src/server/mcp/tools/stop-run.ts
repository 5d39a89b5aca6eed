import { z } from 'zod';
import { withStore } from '../../../library/api/open-store.ts';
import { findRun } from '../../../look/queries/runs.ts';
import { isEnded } from '../../../evaluate/run/prepare/is-ended.ts';
import { requestStop } from '../../../evaluate/run/limits/stop-request.ts';
import { defineTool, runInput } from '../tool.ts';

/** `stop_run`: no further question is asked; the calls in flight are finished and stored. */
export const stopRun = defineTool({
  name: 'stop_run',
  description:
    'Stops a run in order: calls in flight are finished and stored, nothing else is asked. start_run with resume continues it later. A run that has ended stays as it is.',
  input: z.strictObject({ run: runInput }),
  output: ['run', 'state', 'next'],
  limit: 1500,
  isWriting: true,
  isIdempotent: true,
  call: async ({ run: name }, call) =>
    await withStore(await call.project.store(), async (store) => {
      const run = await findRun(store, name);
      const isUnderWay =
        (run.status === 'running' || run.status === 'planning') && !(await isEnded(run, store));
      if (isUnderWay) {
        await requestStop(run.id, store, { isAgent: true });
        await call.project.onChange?.('run-stop', run.id);
      }
      return {
        run: run.id,
        state: isUnderWay ? 'stopping' : run.status === 'completed' ? 'completed' : 'interrupted',
        next: isUnderWay
          ? `run_status ${run.id} until it has ended; then start_run with resume ${run.id} continues it.`
          : run.status === 'completed'
            ? `show_run ${run.id}.`
            : `start_run with resume ${run.id} continues it: nothing is asked twice.`,
      };
    }),
});
