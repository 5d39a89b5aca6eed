import type { PlanRequest } from '../../library/api/project/plan-run.ts';
import type { Beginning, LocalProject } from './project.ts';
import { recordStart, startsOfDay } from './spending.ts';

/** Returns the means to begin runs in the folder of a project, in processes of their own. */
export function beginHere(local: LocalProject): Beginning {
  const { config } = local;
  return {
    plan: async (request) => ({
      plan: await local.call('plan', config, request),
      start: async ({ maxCost, before, note }) => {
        const run = await local.start(agentArguments(request, { config, maxCost: maxCost + before, note }));
        recordStart(local, { run, maxCost, before });
        return run;
      },
      drop: async () => {},
    }),
    starts: async () => startsOfDay(local),
    isShared: false,
  };
}

/** Returns the command line of a run that an agent begins. A value shares an argument with its option, so that none is read as an option. */
export function agentArguments(
  { targets = [], filter, limit, attempts, failedOf, resume }: PlanRequest,
  {
    config,
    maxCost,
    note,
  }: { readonly config: string | undefined; readonly maxCost: number | undefined; readonly note?: string },
): string[] {
  const option = (name: string, value: string | number | undefined) =>
    value === undefined ? [] : [`--${name}=${value}`];
  return [
    'run',
    ...(config === undefined ? [] : [config]),
    ...targets.map((name) => `--target=${name}`),
    ...option('filter', filter),
    ...option('limit', limit),
    ...option('attempts', attempts),
    ...option('failed', failedOf),
    ...option('resume', resume),
    ...option('max-cost', maxCost),
    ...option('note', note),
    ...(resume === undefined ? ['--tag=by=agent'] : []),
    '--json',
  ];
}
