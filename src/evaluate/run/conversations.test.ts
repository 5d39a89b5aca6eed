import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createLocalExecutor } from '../executors/local.ts';
import { userConduct } from '../metrics/conversation/user-conduct.ts';
import type { Metric } from '../metrics/metric.ts';
import { latency } from '../metrics/operations/latency.ts';
import type { Run } from '../../core/schema/run.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { openSqliteStore } from '../../stores/sqlite/sqlite.ts';
import type { Target } from '../targets/target.ts';
import {
  buildEvaluation,
  buildTarget,
  resolvedMetric,
  resolvedTarget,
} from '../../../test/support/build-evaluation.ts';
import type { Move, User } from '../users/user.ts';
import type { Evaluation, ResolvedUser } from './evaluation.ts';
import { run } from './run.ts';
import { neverStopped, type RunNeeds } from './run-needs.ts';

const needs = (parts: Partial<RunNeeds> = {}): RunNeeds => ({
  store: createMemoryStore(),
  executor: createLocalExecutor(),
  observer: {},
  signals: neverStopped,
  ...parts,
});

/** A user who says this once and is satisfied, unless the message is a fault. */
function player(message: string, parts: Partial<User> = {}): User {
  return {
    begin: ({ case: { id } }) => {
      const moves: Move[] = id.startsWith('spoilt')
        ? [{ type: 'invalidates', kind: 'leaked', reason: 'the user said "X1"' }]
        : [
            { type: 'says', message },
            { type: 'ends', ended: 'goal-met' },
          ];
      const usage = { inputTokens: 10, outputTokens: 5 };
      return {
        next: async () => moves.shift() as Move,
        played: () => ({ model: 'm', system: 's', promptVersion: 1, calls: [], usage, cost: 0.25 }),
      };
    },
    ...parts,
  };
}

const live = (user: User, fingerprint = 'one'): ResolvedUser => ({
  name: 'player',
  use: { use: 'player' },
  fingerprint,
  user,
});

const cases = [
  { id: 'single', input: 'x', expected: { keywords: ['echo'] } },
  { id: 'talk', input: 'x', user: { goal: 'g' }, expected: { keywords: ['echo'] } },
  { id: 'spoilt', input: 'x', user: { goal: 'g' }, expected: { keywords: ['nothing like it'] } },
  { id: 'script', input: 'x', user: { script: [{ say: 'x' }, { say: 'y' }] }, expected: { keywords: ['y'] } },
];

const echo = () => buildTarget(({ input }) => ({ answer: `echo: ${input}`, toolCalls: [], cost: 1 }));

const evaluationOf = (target: Target, parts: Partial<Evaluation> = {}) => {
  const evaluation = buildEvaluation(cases, [resolvedTarget('bot', target)], parts);
  return { ...evaluation, users: { ...evaluation.users, simulated: live(player('y')) }, ...parts };
};

const withMetrics = (...extra: [string, Metric][]) =>
  extra.map(([name, metric]) => resolvedMetric(name, metric));

test('single questions, scripts and simulated users go through one run, and an invalidated trial does not count against the target', async () => {
  const bot = echo();
  const used = needs();
  const base = evaluationOf(bot);
  const conduct = userConduct.definition.create({ judged: false, samples: 1 }, {});
  const metrics = [
    ...base.metrics,
    ...withMetrics(
      ['user-conduct', conduct],
      ['latency', latency.definition.create(latency.definition.options.parse({}), {})],
    ),
  ];
  const finished = await run({ ...base, metrics }, used);
  expect(bot.calls.toSorted()).toEqual(['script', 'script', 'single', 'spoilt', 'talk', 'talk']);
  expect(finished.summary?.targets[0]).toMatchObject({
    score: { value: 1, n: 3 },
    counts: { planned: 4, measured: 3, notMeasured: 1, spoilt: 1, errors: 0, failed: 0, passed: 3 },
    coverage: 0.75,
    worstCase: 0.75,
    bestCase: 1,
    usage: {
      cost: { sum: 6 },
      users: { trials: 2, inputTokens: { sum: 20 }, cost: { sum: 0.5, reported: 2 } },
    },
  });
  const results = await Array.fromAsync(used.store.readResults(finished.id));
  const spoilt = results.find(({ trial }) => trial.caseId === 'spoilt');
  expect(spoilt?.trial).toMatchObject({ status: 'completed', spoilt: { kind: 'leaked' } });
  const missing = { status: 'failed', code: 'trial-spoilt', reason: expect.stringContaining('said "X1"') };
  expect(spoilt?.verdicts).toMatchObject({
    'tool-usage': missing,
    keywords: missing,
    'error-handling': missing,
    'user-conduct': { status: 'scored', value: 0, label: 'leaked' },
    latency: { status: 'scored', unit: 'ms' },
  });
  expect(spoilt?.scorecard).toMatchObject({ total: null, lower: 0, upper: 1, passed: null });
  expect(finished.user).toEqual({ name: 'player', use: { use: 'player' }, fingerprint: 'one' });
});

test('a metric that finds the user at fault invalidates the trial for all others, whatever their order', async () => {
  const slow: Metric = {
    judgesUser: true,
    concurrency: 2,
    score: async ({ case: { id } }) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (id !== 'talk') return { status: 'scored', value: 1, passed: true };
      return {
        status: 'scored',
        value: 0,
        passed: false,
        label: 'left-part',
        explanation: 'it asked for a car',
      };
    },
  };
  const base = evaluationOf(echo());
  const used = needs();
  const metrics = [...base.metrics, ...withMetrics(['fit', slow])];
  const finished = await run({ ...base, metrics }, used);
  expect(finished.summary?.targets[0]?.counts).toMatchObject({ spoilt: 2, measured: 2 });
  const [, talk] = await Array.fromAsync(used.store.readResults(finished.id));
  expect(talk?.verdicts['keywords']).toMatchObject({
    code: 'trial-spoilt',
    reason: expect.stringContaining('a car'),
  });
  expect(Object.keys(talk?.verdicts ?? {})).toEqual(['tool-usage', 'keywords', 'error-handling', 'fit']);
});

test('an invalidated trial is not judged, and does not count where an answer is needed', async () => {
  const asked: string[] = [];
  const counting: Metric = {
    score: ({ case: { id } }) => {
      asked.push(id);
      return { status: 'scored', value: 3, unit: 'characters' };
    },
  };
  const used = needs();
  const { id } = await run(
    { ...evaluationOf(echo()), metrics: withMetrics(['length', counting]), scorecard: null },
    used,
  );
  expect(asked.toSorted()).toEqual(['script', 'single', 'talk']);
  const spoilt = (await Array.fromAsync(used.store.readResults(id))).find(
    ({ trial }) => trial.spoilt !== undefined,
  );
  expect(spoilt?.verdicts).toMatchObject({ length: { status: 'failed', code: 'trial-spoilt' } });
});

test('another simulated user makes new trials of the cases that it plays, and of no others', async () => {
  const keysOf = async (fingerprint: string) => {
    const used = needs();
    const base = evaluationOf(echo());
    const users = { ...base.users, simulated: live(player('y'), fingerprint) };
    const { id } = await run({ ...base, users }, used);
    const results = await Array.fromAsync(used.store.readResults(id));
    return new Map(results.map(({ trial }) => [trial.caseId, trial.key]));
  };
  const [one, two] = [await keysOf('one'), await keysOf('two')];
  expect([...one].filter(([id, key]) => two.get(id) === key).map(([id]) => id)).toEqual(['single', 'script']);
});

test('a run is not resumed with another simulated user, and the error says so', async () => {
  const store = createMemoryStore();
  const controller = new AbortController();
  const stopping = buildTarget(() => {
    controller.abort();
    return 'x';
  });
  const signals = { stop: controller.signal, abort: new AbortController().signal };
  const settings = { concurrency: 1, timeLimitMs: 60_000, maxRetries: 0 };
  const base = evaluationOf(stopping, { settings });
  const stopped = await run(base, needs({ store, signals }));
  expect(stopped.status).toBe('interrupted');
  const users = { ...base.users, simulated: live(player('z'), 'another') };
  await expect(run({ ...base, users }, needs({ store }), stopped)).rejects.toMatchObject({
    code: 'run-not-resumable',
    message: expect.stringContaining('user: it has player (one), now player (another)'),
  });
  expect((await run(base, needs({ store }), stopped)).status).toBe('completed');
});

test('a user with a goal that no configured user can play is refused before anything is asked', async () => {
  const bot = echo();
  const { users, ...base } = evaluationOf(bot);
  const used = needs();
  await expect(run({ ...base, users: { scripted: users.scripted } }, used)).rejects.toMatchObject({
    code: 'user-missing',
    message: expect.stringMatching(/^memory\.jsonl:2: /),
  });
  expect(bot.calls).toEqual([]);
  expect(await used.store.listRuns()).toEqual([]);
});

test('a target that replays a conversation is asked once, and no user is played', async () => {
  const transcript = [
    { role: 'system' as const, content: 'Be kind.' },
    { role: 'user' as const, content: 'x' },
    { role: 'assistant' as const, content: 'one' },
    { role: 'user' as const, content: 'y ' },
    { role: 'assistant' as const, content: 'two' },
  ];
  const recorded = buildTarget(() => ({ answer: 'two', toolCalls: [], transcript }), {
    holdsConversation: true,
  });
  const { users, ...base } = evaluationOf(recorded);
  const used = needs();
  const finished = await run({ ...base, users: { scripted: users.scripted } }, used);
  expect(recorded.calls).toHaveLength(4);
  const [single, talk, , script] = await Array.fromAsync(used.store.readResults(finished.id));
  expect(single?.trial.conversation).toBeUndefined();
  expect(talk?.trial).toMatchObject({
    transcript,
    conversation: { ended: 'recorded', turns: [{ from: 1 }, { from: 3 }] },
  });
  expect(script?.trial.conversation?.turns).toEqual([
    { from: 1, script: 0 },
    { from: 3, script: 1 },
  ]);
});

test('a user that cannot be reached ends the run before the first question, and is closed', async () => {
  let closed = 0;
  const close = async () => {
    closed += 1;
  };
  const bot = echo();
  const base = evaluationOf(bot);
  const open = async () => await Promise.reject(new Error('no key'));
  const users = { ...base.users, simulated: live(player('y', { open, close })) };
  await expect(run({ ...base, users }, needs())).rejects.toThrow('no key');
  expect([bot.calls, closed]).toEqual([[], 1]);
});

test('a conversation is read from the database as it was, with its usage', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-conversations-'));
  const store = openSqliteStore(path.join(folder, 'touchstone.db'));
  try {
    const inMemory = needs();
    const onDisk = needs({ store });
    const runs: [Run, RunNeeds][] = [];
    for (const used of [inMemory, onDisk]) runs.push([await run(evaluationOf(echo()), used), used]);
    const [first, second] = await Promise.all(
      runs.map(async ([{ id }, used]) =>
        (await Array.fromAsync(used.store.readResults(id))).map(({ trial }) => ({
          ...trial,
          startedAt: '',
          latency: null,
          conversation: trial.conversation && {
            ...trial.conversation,
            turns: trial.conversation.turns.map(({ from, script }) => ({ from, script })),
          },
        })),
      ),
    );
    expect(second).toEqual(first);
    expect(runs.map(([{ summary }]) => summary?.targets[0]?.usage.users)).toEqual(
      [first, second].map(() => runs[0]?.[0].summary?.targets[0]?.usage.users),
    );
  } finally {
    await store.close();
    await rm(folder, { recursive: true });
  }
});
