import { findRun } from '../../look/queries/runs.ts';
import { runState } from '../../look/report/rows/run-row.ts';
import { createConversationTally, createFaultTally } from '../../look/report/tools/fault-tally.ts';
import { countMeasured, countWhole } from '../../look/report/tools/distributions.ts';
import { createToolTally } from '../../look/report/tools/tool-tally.ts';
import { isEnded } from '../../evaluate/run/prepare/is-ended.ts';
import type { ToolsView, ToolTarget } from '../../core/schema/api/tools-view.ts';
import { withoutConditions } from '../../core/schema/condition.ts';
import type { Result } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import { summarySchema } from '../../core/schema/summary.ts';
import type { Store } from '../../stores/store.ts';
import type { AddRoute } from '../route.ts';

/** The most answers that are kept. */
const mostKept = 5;

/**
 * Adds `GET /api/runs/:run/tools`: how the targets of a run used their tools, counted over all of its results. The last
 * answers about completed runs are kept, because reading a large run takes seconds.
 */
export const addTools: AddRoute = (app, { openStore }) => {
  const kept = new Map<string, ToolsView>();
  app.get('/api/runs/:run/tools', async ({ req, json }) => {
    const store = await openStore();
    const run = await findRun(store, req.param('run'));
    const key = `${run.id} ${run.finishedAt ?? ''}`;
    const known = kept.get(key);
    if (known !== undefined) return json(known);
    const view = await viewTools(run, store);
    if (run.status === 'completed') kept.set(key, view);
    for (const oldest of kept.keys()) if (kept.size > mostKept) kept.delete(oldest);
    return json(view);
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
