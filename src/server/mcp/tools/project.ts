import { z } from 'zod';
import { withStore } from '../../../library/api/open-store.ts';
import type { ProjectDescription } from '../../../library/api/project/describe-project.ts';
import { listRunHeads, type RunHeadState } from '../../../look/queries/runs.ts';
import type { Gate } from '../../../core/schema/gate.ts';
import { stateError } from '../errors.ts';
import type { Reply } from '../fit-reply.ts';
import { idOf, named, pathOf, quote } from '../quote.ts';
import { spentOfDay, startsOfDay } from '../spending.ts';
import { defineTool, type ToolCall } from '../tool.ts';
import { choiceOf, describeReferee } from './referee-status.ts';

const newestRuns = 5;

/** `project`: what is evaluated here, by what, and the newest runs. */
export const describeProject = defineTool({
  name: 'project',
  description:
    'What is evaluated here: config, dataset, targets, metrics, gate, what an agent may spend, and the newest runs. Call this first.',
  input: z.strictObject({}),
  output: [
    'config',
    'dataset',
    'targets',
    'metrics',
    'scorecard',
    'gate',
    'agents',
    'referee',
    'runs',
    'warnings',
    'error',
  ],
  limit: 6000,
  call: async (_input, call) => {
    const [config, referee] = await Promise.all([describeConfig(call), describeHeldOut(call)]);
    return { ...config, ...referee, runs: await newest(call) };
  },
});

/** Describes the config. One that cannot be used is stated as an error next to the runs, which can still be read. */
async function describeConfig({ project }: ToolCall): Promise<Reply> {
  const { local, store, maxCost } = project;
  if (local === undefined) return {};
  try {
    const described = await local.call('describe', local.config);
    const spent = await withStore(
      await store(),
      async (opened) => await spentOfDay(startsOfDay(local), opened),
    );
    const { agents } = described;
    return { ...describe(described), agents: { ...agents, maxCost: maxCost ?? agents.maxCost, spent } };
  } catch (thrown) {
    return { error: stateError(thrown) };
  }
}

/** Describes the state of the held-out set, where the config has a referee. */
async function describeHeldOut({ project: { local } }: ToolCall): Promise<Reply> {
  if (local?.hasReferee !== true) return {};
  try {
    return { referee: describeReferee(await local.call('refereeStatus', choiceOf(local))) };
  } catch (thrown) {
    return { referee: { error: stateError(thrown) } };
  }
}

function describe({ config, sources, cases, targets, metrics, ...rest }: ProjectDescription): Reply {
  const { description, scorecard, gate, attempts, maxCost, notices } = rest;
  const judges = new Set(metrics.flatMap(({ judge }) => judge ?? []));
  return {
    config: pathOf(config),
    ...(description !== undefined && { description: quote('file', description, 300) }),
    dataset: { files: sources.map(pathOf), cases },
    targets: targets.map(({ name, use, version }) => ({
      ...named('file', name),
      use: idOf(use),
      ...(version !== undefined && { version: idOf(version) }),
    })),
    attempts,
    metrics: metrics.map(({ name }) => idOf(name)),
    scorecard: scorecard === null ? null : idOf(scorecard),
    ...(judges.size > 0 && { judges: [...judges].map(idOf) }),
    gate: describeGate(gate),
    maxCost,
    ...(notices.length > 0 && { warnings: notices.map((each) => quote('file', each, 300)) }),
  };
}

function describeGate({ failUnder, rules = {}, baseline, sequential }: Gate): Reply {
  return {
    failUnder: failUnder ?? null,
    rules: Object.entries(rules).map(([name, { type }]) => ({ ...named('file', name), type })),
    ...(baseline !== undefined && { baseline: pathOf(baseline) }),
    ...(sequential !== undefined && sequential !== false && { sequential: true }),
  };
}

async function newest({ project }: ToolCall): Promise<Reply[]> {
  const heads = await withStore(
    await project.store(),
    async (store) => await listRunHeads(store, { limit: newestRuns }),
  );
  return heads.map(describeHead);
}

function describeHead(state: RunHeadState): Reply {
  const { run } = state;
  const { id, createdAt, name, note, dataset, headlines, decision, cost } = run;
  const isOver = state.isEnded && run.status === 'running';
  return {
    run: id,
    state: isOver ? 'interrupted' : run.status,
    createdAt,
    ...(name !== undefined && { name: quote('file', name, 80) }),
    ...(note !== undefined && { note: quote('file', note, 120) }),
    failedOf: run.failedOf,
    cases: dataset.cases,
    scores: (headlines ?? []).map(({ target, score }) => ({ target: idOf(target), score: score.value })),
    ...(decision?.isGated === true && { decision: decision.outcome }),
    ...(cost !== null && cost !== undefined && { cost }),
  };
}
