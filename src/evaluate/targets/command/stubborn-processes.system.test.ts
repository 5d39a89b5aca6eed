import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { createLocalExecutor } from '../../executors/local.ts';
import { run } from '../../run/run.ts';
import { neverStopped } from '../../run/run-needs.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { buildEvaluation, resolvedTarget } from '../../../../test/support/build-evaluation.ts';
import { command } from '../command.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-stubborn-'));
const isWindows = process.platform === 'win32';
afterAll(() => rmSync(folder, { recursive: true }));

/** The folder in which processes write files named for their ids. */
const ids = mkdtempSync(path.join(folder, 'ids-'));
const writeId = `(await import('node:fs')).writeFileSync(${JSON.stringify(ids)} + '/' + process.pid, '');`;
const stubborn = `${writeId} for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => {});`;

/** A process that ignores signals, with a helper of the same kind that it starts. */
const obstinate = `${stubborn}
  const helper = ${JSON.stringify(`${stubborn} setInterval(() => {}, 1000);`)};
  (await import('node:child_process')).spawn(process.execPath, ['--input-type=module', '-e', helper], { stdio: 'ignore' });`;

function liveCommand(source: string, options: Partial<NonNullable<Parameters<typeof command>[0]>> = {}) {
  const file = path.join(folder, `${Math.random().toString(36).slice(2)}.mjs`);
  writeFileSync(file, source);
  const { definition } = command;
  const needs = {
    folder,
    environment: process.env,
    readRows: () => expect.fail('no rows are read'),
    resolveModel: () => expect.fail('no model is used'),
  };
  const all = { command: [process.execPath, file], closeTimeLimitMs: 200, ...options };
  return resolvedTarget('bot', definition.create(definition.options.parse(all), needs));
}

async function ask(
  count: number,
  target: ReturnType<typeof liveCommand>,
  timeLimitMs: number,
  concurrency = 4,
) {
  const store = createMemoryStore();
  const cases = Array.from({ length: count }, (_, index) => ({
    id: `q${index}`,
    input: `question ${index}`,
    expected: { keywords: ['yes'] },
  }));
  const settings = { concurrency, timeLimitMs, maxRetries: 0 };
  const needs = { store, executor: createLocalExecutor(), observer: {}, signals: neverStopped };
  const finished = await run(buildEvaluation(cases, [target], { settings }), needs);
  const results = await Array.fromAsync(store.readResults(finished.id));
  return { finished, trials: results.map(({ trial }) => trial) };
}

function isRunning(pid: string): boolean {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until none of the processes that have written their ids is left, and returns how many they were. */
async function untilGone(): Promise<number> {
  while (readdirSync(ids).some(isRunning)) await wait(10);
  return readdirSync(ids).length;
}

test.skipIf(isWindows).each(['lines', 'once'] as const)(
  'a process of the mode %s that ignores every signal is killed when its time is over, with what it started',
  async (mode) => {
    const before = readdirSync(ids).length;
    const bot = liveCommand(`${obstinate} setInterval(() => {}, 1000);`, { mode, processes: 2 });
    const { trials } = await ask(2, bot, 1500);
    expect(trials.map(({ error }) => error?.code)).toEqual(['timeout', 'timeout']);
    expect((await untilGone()) - before).toBeGreaterThanOrEqual(2);
  },
);

test('a late answer of a process that works on several questions is dropped, and counted', async () => {
  // The bot keeps its first answer until the next question is there: the answer is late however slow the machine is.
  const bot = `
    import { createInterface } from 'node:readline';
    let kept = null;
    console.log(JSON.stringify({ ready: true }));
    for await (const line of createInterface({ input: process.stdin })) {
      const { id, caseId } = JSON.parse(line);
      const answer = JSON.stringify({ id, answer: 'yes ' + caseId });
      if (caseId === 'q0') kept = answer;
      else console.log(kept === null ? answer : kept + '\\n' + answer);
      if (caseId !== 'q0') kept = null;
    }`;
  const target = liveCommand(bot, { inFlight: 2, processes: 1, startupTimeLimitMs: 60_000 });
  const { finished, trials } = await ask(12, target, 2000, 1);
  expect(trials[0]?.error?.code).toBe('timeout');
  expect(trials.slice(1).map(({ answer }) => answer)).toEqual(
    Array.from({ length: 11 }, (_, index) => `yes q${index + 1}`),
  );
  expect(finished.lateAnswers).toBe(1);
});

/** Starts a helper in a session of its own, through a process that ends at once, so that it is not known as a child. */
const escaping = `
  const helper = ${JSON.stringify(`${stubborn} setInterval(() => {}, 1000);`)};
  const between = "require('child_process').spawn(process.execPath, ['--input-type=module', '-e', " + JSON.stringify(helper) +
    "], { stdio: 'ignore', detached: true }).unref();";
  (await import('node:child_process')).spawnSync(process.execPath, ['-e', between], { stdio: 'ignore' });
  while ((await import('node:fs')).readdirSync(${JSON.stringify(ids)}).length === before) await new Promise((done) => setTimeout(done, 10));`;

test.skipIf(process.platform !== 'linux').each(['lines', 'once'] as const)(
  'a helper that has started a session of its own does not outlive a process of the mode %s',
  async (mode) => {
    const before = readdirSync(ids).length;
    const answer =
      mode === 'once'
        ? "console.log('yes');"
        : `const { createInterface } = await import('node:readline');
           for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify({ id: JSON.parse(line).id, answer: 'yes' }));`;
    const source = `const before = ${before}; ${escaping} ${answer}`;
    const { trials } = await ask(1, liveCommand(source, { mode }), 20_000);
    expect(trials[0]).toMatchObject({ status: 'completed', answer: 'yes' });
    expect((await untilGone()) - before).toBe(1);
  },
);
