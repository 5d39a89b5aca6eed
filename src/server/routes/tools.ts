import { findRun } from '../../queries/runs.ts';
import { runState } from '../../report/run-row.ts';
import { createConversationTally, createFaultTally } from '../../report/tools/fault-tally.ts';
import { countMeasured, countWhole } from '../../report/tools/distributions.ts';
import { createToolTally } from '../../report/tools/tool-tally.ts';
import { isEnded } from '../../run/prepare/is-ended.ts';
import type { ToolsView, ToolTarget } from '../../schema/api/tools-view.ts';
import { withoutConditions } from '../../schema/condition.ts';
import type { Result } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import { summarySchema } from '../../schema/summary.ts';
import type { Store } from '../../stores/store.ts';
import type { AddRoute } from '../route.ts';

/** Adds `GET /api/runs/:run/tools`: how the targets of a run used their tools, counted over all of its results. */
export const addTools: AddRoute = (app, { openStore }) => {
  app.get('/api/runs/:run/tools', async ({ req, json }) => {
    const store = await openStore();
    const run = await findRun(store, req.param('run'));
    return json(await viewTools(run, store));
  });
};

async function viewTools(run: Run, store: Store): Promise<ToolsView> {
  const plain = withoutConditions(run.targets);
  const tallies = new Map(plain.map(({ name }) => [name, createTallies(run)]));
  const faults = new Map(
    run.targets
      .filter(({ condition }) => condition?.type === 'fault')
      .map((target) => [target.name, createFaultTally(run, target)]),
  );
  for await (const result of store.readResults(run.id)) {
    const { target } = result.trial;
    tallies.get(target)?.add(result);
    faults.get(target)?.add(result);
  }
  const distributions = await readDistributions(run, store);
  const rows = [...faults.values()].flatMap((tally) => tally.summarize());
  const summary = summarySchema.safeParse(run.summary).data;
  return {
    run: run.id,
    state: runState(run, await isEnded(run, store)),
    attempts: run.attempts,
    hasScorecard: run.scorecard !== null,
    targets: plain.map(({ name }): ToolTarget => {
      const reliability = summary?.targets.find(({ target }) => target === name)?.reliability;
      const { steps = [], latency = [] } = distributions.get(name) ?? {};
      return {
        target: name,
        ...(tallies.get(name) ?? createTallies(run)).summarize(),
        steps: countWhole(steps),
        latency: countMeasured(latency),
        faults: rows.filter(({ condition }) => condition.of === name),
        ...(reliability !== undefined && { reliability }),
      };
    }),
  };
}

function createTallies(run: Run) {
  const [tools, conversations] = [createToolTally(run), createConversationTally()];
  return {
    add: (result: Result): void => {
      tools.add(result);
      conversations.add(result);
    },
    summarize: () => ({ ...tools.summarize(), conversations: conversations.summarize() }),
  };
}

interface Values {
  readonly steps: number[];
  readonly latency: number[];
}

/** Reads the steps and the time of every answered trial by target, as the list of cases filters them. */
async function readDistributions(run: Run, store: Store): Promise<Map<string, Values>> {
  const byTarget = new Map<string, Values>(run.targets.map(({ name }) => [name, { steps: [], latency: [] }]));
  const where = [{ field: 'status', operator: '=' as const, values: ['completed'] }];
  for await (const rows of store.readColumns(run.id, { where, columns: ['target', 'steps', 'latencyMs'] })) {
    for (const { values } of rows) {
      const [target, steps, latencyMs] = values;
      const of = byTarget.get(String(target));
      if (typeof steps === 'number') of?.steps.push(steps);
      if (typeof latencyMs === 'number') of?.latency.push(latencyMs);
    }
  }
  return byTarget;
}
