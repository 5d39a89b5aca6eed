import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { writePaidProject } from './paid-project.ts';
import { touchstone } from './run-cli.ts';
import { writeSlowProject } from './slow-project.ts';
import { readStoredRuns } from './stored-run.ts';

const cases = 12;

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  for (const server of ['bot', 'judge'] as const) {
    test(`${signal} during calls to the ${server} ends the run gracefully, and nothing is asked twice`, async () => {
      const project = await writePaidProject({ cases, concurrency: 2, delayMs: 50 });
      const { folder: cwd, bot, judge } = project;
      const stopped = await touchstone(['run', '--json'], {
        cwd,
        onStarted: async (child) => {
          while (project[server].requests.length < 4) await new Promise((resolve) => setTimeout(resolve, 2));
          child.kill(signal);
        },
      });
      expect(stopped).toMatchObject({
        code: 130,
        stderr: expect.stringContaining('Finishing the calls in flight'),
      });
      const { run, summary } = JSON.parse(stopped.stdout);
      expect(run.status).toBe('interrupted');
      const { counts } = summary.targets[0];
      expect(counts).toMatchObject({
        planned: cases,
        notRun: cases - bot.requests.length,
        cancelled: 0,
        errors: 0,
      });
      const resumed = await touchstone(['run', '--resume', '--json'], { cwd });
      expect(resumed.code).toBe(0);
      expect(JSON.parse(resumed.stdout).summary.targets[0].counts).toMatchObject({
        planned: cases,
        measured: cases,
      });
      expect([bot.requests.length, judge.requests.length]).toEqual([cases, cases]);
    });
  }
}

test("a stopped run does not wait for the judge's rate limit, and asks the rest later", async () => {
  const project = await writePaidProject({ cases, concurrency: 4 });
  const { folder: cwd, bot, judge, config } = project;
  const slow = { ...config.judge.model, requestsPerMinute: 1, maxWaitMs: 600_000 };
  await project.writeConfig({ judge: { ...config.judge, model: slow } });
  const stopped = await touchstone(['run', '--json'], {
    cwd,
    onStarted: async (child) => {
      while (judge.requests.length < 1 || bot.requests.length < 4) await wait(2);
      await wait(300);
      child.kill('SIGINT');
    },
  });
  expect(stopped.code).toBe(130);
  const { counts } = JSON.parse(stopped.stdout).summary.targets[0];
  const judged = judge.requests.length;
  expect(judged).toBeLessThan(4);
  expect(counts).toMatchObject({ planned: cases, measured: judged, unscored: bot.requests.length - judged });
  await project.writeConfig();
  expect((await touchstone(['run', '--resume'], { cwd })).code).toBe(0);
  expect([bot.requests.length, judge.requests.length]).toEqual([cases, cases]);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} while reading questions ends the run before any call, and stores no run`, async () => {
    const { folder: cwd, readCalls } = await writeSlowProject({ cases: 1, concurrency: 1 });
    const stopped = await touchstone(['run', '--dataset', '-', '--dataset-format', 'jsonl'], {
      cwd,
      // More than the format detection reads.
      input: Array.from({ length: 5000 }, (_, index) => `{"id":"q${index}","question":"${index}"}\n`).join(
        '',
      ),
      isInputOpen: true,
      onStarted: async (child) => {
        const file = path.join(cwd, '.touchstone', 'touchstone.db');
        while (!existsSync(file) || (await readStoredRuns(cwd)).length === 0) await wait(5);
        child.kill(signal);
      },
    });
    expect(stopped.code).toBe(130);
    expect(stopped.stderr).toMatch(/^Stopping\.\n✗ Stopped while the dataset was read: nothing was called/);
    expect(await readCalls()).toEqual([]);
    expect(JSON.parse((await touchstone(['runs', '--json'], { cwd })).stdout)).toEqual([]);
  });
}
