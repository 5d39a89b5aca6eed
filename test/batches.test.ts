import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ModelServer } from '../src/library/testing/model-server/model-server.ts';
import { batchKind, batchRequestKind } from '../src/stores/kinds/batch.ts';
import { createMemoryStore } from './support/memory-store.ts';
import { run } from '../src/evaluate/run/run.ts';
import type { Run } from '../src/core/schema/run.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';
import type { BatchProcess } from './support/batch-process.ts';
import { bundleProgram } from './support/bundle-program.ts';
import {
  type BatchedKind,
  batchedEvaluation,
  batchedNeeds,
  botAndJudge,
  numbersOf,
} from './support/batched-run.ts';
import { isReleaseTested } from './support/is-release-tested.ts';
import { serve } from './support/model-harness.ts';

const fair = { judgement: { reason: 'It does.', score: 0.75 } };

/** A moment at which a process is killed: at a write to its store, or at a request to the provider, before or after its effect. */
type Moment = { readonly write: number } | { readonly request: number; readonly isDone: boolean };

let script = '';
beforeAll(async () => {
  script = await bundleProgram(path.join(import.meta.dirname, 'support/batch-process.ts'));
});

/** Runs a process of a run, and kills it at a moment if it gets there. Returns whether it was killed. */
async function killAt(
  moment: Moment | undefined,
  server: ModelServer,
  settings: Omit<BatchProcess, 'url' | 'write'>,
): Promise<boolean> {
  const write = moment !== undefined && 'write' in moment ? moment.write : 0;
  const given: BatchProcess = { ...settings, url: server.url, write };
  const child = spawn(process.execPath, [script, JSON.stringify(given)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
  let requests = 0;
  const onRequest = async (_name: string, isDone: boolean) => {
    if (!isDone) requests += 1;
    const isDue = moment !== undefined && 'request' in moment && moment.request === requests;
    if (!isDue || moment.isDone !== isDone) return;
    child.kill('SIGKILL');
    await exited;
  };
  server.batches.play({ checks: 2, isShuffled: true, onRequest });
  const [code, signal] = await exited;
  if (signal !== 'SIGKILL') expect(code).toBe(0);
  return signal === 'SIGKILL';
}

/**
 * Kills the processes of a run, whose bot and judge are asked in batches, at some moments, one after the other, until one of them ends it; checks that each question was asked
 * and paid for once, and that the numbers are the same as of a run without batches. Returns the moments that are left.
 */
async function liveThrough(kind: BatchedKind, cases: number, moments: readonly Moment[]): Promise<Moment[]> {
  const server = await serve(botAndJudge);
  const file = path.join(await temporaryFolder(), 'touchstone.db');
  const left = [...moments];
  while (await killAt(left.shift(), server, { file, kind, cases }));
  const store = openSqliteStore(file);
  const [head] = await store.listRuns();
  const ended = await store.readRun(head?.id ?? '');
  expect(await store.documents.count(batchKind)).toBe(0);
  expect(await store.documents.count(batchRequestKind)).toBe(0);
  expect(await Array.fromAsync(store.check())).toEqual([]);
  await store.close();
  expect(server.requests).toHaveLength(0);
  // A batch that no process asks after is paid for, too.
  const submitted = server.batches.jobs.flatMap(({ requests }) => requests.map(({ id }) => id));
  expect(submitted).toHaveLength(new Set(submitted).size);
  // Each question to the bot, and each to the judge about its answer.
  expect(server.batches.billed.size).toBe(2 * cases);
  expect([...server.batches.billed.values()].filter((times) => times !== 1)).toEqual([]);
  expect(server.batches.files).toEqual([]);
  const usual = await run(
    batchedEvaluation({ url: server.url, kind, cases, asks: 'both', batch: false }),
    batchedNeeds(createMemoryStore()),
  );
  expect(ended && numbersOf(ended)).toEqual(numbersOf(usual));
  return left;
}

/** Moments while a process submits, waits and gathers. The providers differ in the steps by which a batch is submitted and read. */
const moments: readonly Moment[] = [
  { request: 2, isDone: true },
  { request: 3, isDone: false },
];

test.each([
  ['openai-chat', [{ request: 1, isDone: true }, ...moments, { write: 2 }, { write: 1 }]],
  ['anthropic', moments],
  ['mistral', moments],
  ['gemini', moments],
] as const)(
  'a process that is killed while it submits, waits or gathers at %s submits nothing twice and loses nothing',
  async (kind, kills) => {
    expect(await liveThrough(kind, 30, kills)).toEqual([]);
  },
);

test('on the command line a run submits and ends, says where its questions are, cancels them, and gathers what was answered', async () => {
  const server = await serve(fair);
  const cwd = await temporaryFolder();
  const rows = Array.from({ length: 24 }, (_, index) =>
    JSON.stringify({ id: `q${index}`, question: `question ${index}?` }),
  );
  await writeFile(path.join(cwd, 'golden.jsonl'), rows.join('\n'));
  await writeFile(path.join(cwd, 'bot.mjs'), 'export default async (question) => `You asked: ${question}`;');
  const prices = { input: 1, output: 4 };
  const batch = { price: 0.5 };
  const config = {
    dataset: 'golden.jsonl',
    targets: [{ use: 'module', path: 'bot.mjs' }],
    scorecard: null,
    judge: { use: 'openai-chat', model: 'judge-1', baseUrl: server.url, prices, batch },
    metrics: ['relevance'],
  };
  await writeFile(path.join(cwd, 'touchstone.config.yaml'), JSON.stringify(config));
  const { host } = new URL(server.url);

  const planned = await touchstone(['run', '--dry-run'], { cwd });
  expect(planned.stdout).toMatch(
    /Judges: at most 24 calls, about .* tokens, about \$0\.01\d* in batches \(one by one \$0\.0\d+: \$0\.01\d* saved\)/,
  );

  server.batches.play({ checks: 1000 });
  const begun = await touchstone(['run', '--detach'], { cwd });
  expect([begun.code, begun.stdout]).toEqual([130, '']);
  const said = new RegExp(
    `24 questions are in a batch at ${host}\\.\nTo continue: touchstone run --resume (\\S+)`,
  );
  const [, id = ''] = said.exec(begun.stderr) ?? [];
  expect(id).not.toBe('');
  const listed = await touchstone(['runs'], { cwd });
  expect(listed.stdout).toMatch(/interrupted, 24 in batches, /);

  const cancelled = await touchstone(['batch', 'cancel'], { cwd });
  expect(cancelled.stdout).toBe(
    `Cancelled 1 batch of 24 questions. The answers that arrived are stored: touchstone run --resume ${id}\n`,
  );
  server.batches.play({ checks: 1 });
  const resumed = await touchstone(['run', '--resume', id], { cwd });
  expect(resumed).toMatchObject({ code: 0 });
  expect(resumed.stdout).toMatch(/24/);
  // 12 were answered before it was cancelled; fewer than 20 were left.
  expect([server.batches.billed.size, server.requests.length]).toEqual([12, 12]);
  const none = await touchstone(['batch', 'cancel'], { cwd });
  expect(none.stdout).toBe(`Run ${id} has no batch to cancel.\n`);
});

/** Writes a config of a bot that is a model asked in batches, and a golden file of so many questions. Returns its folder. */
async function botInBatches(url: string, { cases = 24, bot = {}, model = {}, config = {}, row = {} } = {}) {
  const cwd = await temporaryFolder();
  const rows = Array.from({ length: cases }, (_, index) =>
    JSON.stringify({
      id: `q${index}`,
      question: `question ${index}?`,
      expected_answer: `question ${index}`,
      ...row,
    }),
  );
  await writeFile(path.join(cwd, 'golden.jsonl'), rows.join('\n'));
  const prices = { input: 1, output: 4 };
  const asked = { use: 'openai-chat', model: 'bot-1', baseUrl: url, prices, batch: { price: 0.5 }, ...model };
  const whole = {
    dataset: 'golden.jsonl',
    targets: [{ use: 'chat', name: 'bot', model: asked, ...bot }],
    metrics: ['keywords', 'latency'],
    scorecard: null,
    ...config,
  };
  await writeFile(path.join(cwd, 'touchstone.config.yaml'), JSON.stringify(whole));
  return cwd;
}

test('on the command line a bot is asked in a batch: its price is printed, it is left, cancelled, gathered and reported without a latency', async () => {
  const server = await serve(botAndJudge);
  const cwd = await botInBatches(server.url);
  const planned = await touchstone(['run', '--dry-run'], { cwd });
  expect(planned.stdout).toMatch(
    /^Price of bot: about \$0\.00\d+ in batches \(one by one \$0\.0\d+: \$0\.00\d+ saved\)\.$/m,
  );
  expect(planned.stdout).not.toContain('Price: unknown');
  expect([server.batches.jobs.length, server.requests.length]).toEqual([0, 0]);

  server.batches.play({ checks: 1000 });
  const begun = await touchstone(['run', '--detach'], { cwd });
  expect([begun.code, begun.stdout]).toEqual([130, '']);
  expect(begun.stderr).toMatch(/24 questions are in a batch at .*\nTo continue: touchstone run --resume \S+/);
  expect((await touchstone(['runs'], { cwd })).stdout).toMatch(/interrupted, 24 in batches/);
  const cancelled = await touchstone(['batch', 'cancel'], { cwd });
  expect(cancelled.stdout).toMatch(/^Cancelled 1 batch of 24 questions\./);

  server.batches.play({ checks: 1 });
  const resumed = await touchstone(['run', '--resume', 'latest', '--json'], { cwd });
  expect(resumed.code).toBe(0);
  // 12 were answered before it was cancelled, and fewer than 20 were left.
  expect([server.batches.billed.size, server.requests.length]).toEqual([12, 12]);
  const { summary } = JSON.parse(resumed.stdout) as Pick<Run, 'summary'>;
  expect(summary?.targets[0]).toMatchObject({ counts: { measured: 24 }, usage: { latency: { n: 12 } } });
});

test('with workers, the process that began a run alone submits what they have put aside, each question once', async () => {
  const server = await serve(botAndJudge);
  const judge = { use: 'openai-chat', model: 'judge-1', baseUrl: server.url, batch: { price: 0.5 } };
  const cwd = await botInBatches(server.url, { cases: 60, config: { judge, metrics: ['relevance'] } });
  const done = await touchstone(['run', '--workers', '2', '--json'], { cwd });
  expect(done).toMatchObject({ code: 0 });
  expect(server.batches.jobs.map(({ requests }) => requests.length)).toEqual([60, 60]);
  expect([...server.batches.billed.values()]).toEqual(Array.from({ length: 120 }, () => 1));
  expect(server.requests).toHaveLength(0);
  const { summary } = JSON.parse(done.stdout) as Pick<Run, 'summary'>;
  expect(summary?.targets[0]?.counts).toMatchObject({ measured: 60 });
});

test.each([
  [
    'tools',
    { bot: { tools: 'tools.mjs' } },
    'a target with tools asks its model several times about one question',
  ],
  ['a stream', { model: { stream: true } }, 'a batch is not streamed'],
  [
    'several turns',
    { row: { turns: ['And then?'] } },
    'a conversation of several turns cannot be held in batches',
  ],
  ['rewritten questions', { config: { perturb: ['typos'] } }, 'its questions are asked in batches'],
])(
  'a bot with %s is not asked in batches, and the reason is named before anything is asked',
  async (_what, parts, reason) => {
    const server = await serve(botAndJudge);
    const cwd = await botInBatches(server.url, parts);
    const refused = await touchstone(['run'], { cwd });
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain(reason);
    expect([server.batches.jobs.length, server.requests.length]).toEqual([0, 0]);
  },
);

/** Returns 28 moments: all steps of the protocol, at both sides, over and over. */
function manyMoments(): Moment[] {
  const requests = Array.from({ length: 8 }, (_, index) => index + 1);
  const atProvider = requests.flatMap((request) => [
    { request, isDone: true },
    { request, isDone: false },
  ]);
  const writes = [15, 30, 32, 34, 1, 2, 3, 4, 5, 6, 7, 8].map((write) => ({ write }));
  return Array.from({ length: 16 }, (_, index) =>
    [writes[index] ?? [], atProvider[index] ?? []].flat(),
  ).flat();
}

// More questions than results are stored at a time; the second provider has half of the moments.
test.skipIf(!isReleaseTested).each([
  ['openai-chat', 1],
  ['anthropic', 2],
] as const)(
  'over 240 questions, with kills at all steps of the protocol, at %s every request is paid for once (needs TOUCHSTONE_TEST_ALL=1)',
  async (kind, step) => {
    let left = manyMoments().filter((_, index) => index % step === 0);
    expect(left).toHaveLength(28 / step);
    while (left.length > 0) left = await liveThrough(kind, 240, left);
  },
);
