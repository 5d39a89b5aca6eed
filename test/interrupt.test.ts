import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { type Ended, touchstone } from './run-cli.ts';
import { writeSlowProject } from './slow-project.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

type Project = Awaited<ReturnType<typeof writeSlowProject>>;

/** Runs until the bot was called a number of times, then sends signals with a pause between them. */
async function runAndSignal(
  project: Project,
  {
    calls,
    signals,
    args = [],
    slowMs,
  }: { calls: number; signals: NodeJS.Signals[]; args?: string[]; slowMs: number },
): Promise<Ended> {
  return await touchstone(['run', ...args], {
    cwd: project.folder,
    env: { SLOW_MS: String(slowMs) },
    onStarted: async (child) => {
      await project.untilCalled(calls);
      for (const signal of signals) {
        child.kill(signal);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
  });
}

const countsIn = (stdout: string) => JSON.parse(stdout).summary.targets[0].counts;

test('Ctrl-C finishes and stores the calls in flight and prints the resume command; resuming calls only what is missing', async () => {
  const project = await writeSlowProject({ cases: 12, concurrency: 3 });
  const args = ['--filter', 'category!=c9', '--json'];
  const stopped = await runAndSignal(project, { calls: 4, signals: ['SIGINT'], args, slowMs: 150 });
  expect(stopped.code).toBe(130);
  const asked = await project.readCalls();
  expect(countsIn(stopped.stdout)).toMatchObject({ planned: 12, measured: asked.length, cancelled: 0 });
  expect(stopped.stderr).toContain('Finishing the calls in flight');
  const [, goOn] = /To continue: touchstone (.*)/.exec(stopped.stderr) ?? [];
  expect(goOn).toMatch(/^run --filter 'category!=c9' --json --resume \d{8}-\d{6}-\w{4}$/);
  const resumed = await touchstone((goOn ?? '').replaceAll("'", '').split(' '), { cwd: project.folder });
  expect(resumed.code).toBe(0);
  expect(countsIn(resumed.stdout)).toMatchObject({ planned: 12, measured: 12, notRun: 0 });
  const all = await project.readCalls();
  expect(all.slice(0, asked.length)).toEqual(asked);
  expect(new Set(all).size).toBe(12);
  expect(all).toHaveLength(12);
});

test('a second Ctrl-C cancels the calls in flight, which are recorded as cancelled and repeated later', async () => {
  const project = await writeSlowProject({ cases: 6, concurrency: 3 });
  const stopped = await runAndSignal(project, {
    calls: 3,
    signals: ['SIGINT', 'SIGINT'],
    args: ['--json'],
    slowMs: 60_000,
  });
  expect(stopped.code).toBe(130);
  expect(countsIn(stopped.stdout)).toMatchObject({ cancelled: 3, notRun: 3, errors: 0, measured: 0 });
  const resumed = await touchstone(['run', '--resume', '--json'], { cwd: project.folder });
  expect(countsIn(resumed.stdout)).toMatchObject({ measured: 6, cancelled: 0 });
  expect(await project.readCalls()).toHaveLength(9);
});

test('a run killed repeatedly loses no recorded answer and repeats only calls in flight', async () => {
  const [cases, concurrency, kills] = [40, 3, 4];
  // A call whose answer has arrived but is not yet on disk counts as in flight.
  const lostAtMost = concurrency;
  const project = await writeSlowProject({ cases, concurrency });
  for (let kill = 0; kill < kills; kill += 1) {
    const before = await project.readKept();
    const already = (await project.readCalls()).length;
    const calls = already + 1 + Math.floor(Math.random() * 8);
    const args = kill === 0 ? [] : ['--resume'];
    const killed = await runAndSignal(project, { calls, signals: ['SIGKILL'], args, slowMs: 20 });
    expect(killed.code).toBeNull();
    const answers = new Map((await project.readKept()).map(({ trial }) => [trial.key, trial.answer]));
    for (const { trial } of before) expect(answers.get(trial.key)).toBe(trial.answer);
    const asked = (await project.readCalls()).length;
    expect(asked - answers.size).toBeLessThanOrEqual(lostAtMost * (kill + 1));
  }
  const kept = await project.readKept();
  const finished = await touchstone(['run', '--resume', '--json'], { cwd: project.folder });
  expect(finished.code).toBe(0);
  expect(countsIn(finished.stdout)).toMatchObject({ planned: cases, measured: cases, notRun: 0, errors: 0 });
  const all = await project.readKept();
  expect(all).toHaveLength(cases);
  expect(all.filter(({ trial }) => kept.some((one) => one.trial.answer === trial.answer))).toHaveLength(
    kept.length,
  );
  expect((await project.readCalls()).length).toBeLessThanOrEqual(cases + lostAtMost * kills);
});

test('a running run is neither resumed nor deleted by another process', async () => {
  const project = await writeSlowProject({ cases: 3, concurrency: 3 });
  const { folder: cwd } = project;
  const meanwhile: Ended[] = [];
  await touchstone(['run'], {
    cwd,
    env: { SLOW_MS: '60000' },
    onStarted: async (child) => {
      await project.untilCalled(3);
      for (const args of [
        ['run', '--resume'],
        ['delete', 'latest', '--yes'],
      ])
        meanwhile.push(await touchstone(args, { cwd }));
      child.kill('SIGKILL');
    },
  });
  expect(meanwhile.map(({ code }) => code)).toEqual([4, 4]);
  for (const { stderr } of meanwhile) expect(stderr).toContain('is being worked on by another process');
  expect(await project.readCalls()).toHaveLength(3);
  expect((await touchstone(['run', '--resume'], { cwd })).code).toBe(0);
});

test('a budget stops the run with exit code 2 and counts earlier spending; a higher budget resumes it', async () => {
  const project = await writeSlowProject({ cases: 20, concurrency: 1 });
  const { folder: cwd } = project;
  const spent = await touchstone(['run', '--max-cost', '0.05'], { cwd, env: { SLOW_MS: '20' } });
  expect(spent.code).toBe(2);
  expect(spent.stderr).toMatch(/cost \$0\.0\d, and one more attempt .* could pass its limit of \$0\.05/);
  const asked = (await project.readCalls()).length;
  expect(asked).toBeLessThan(10);
  expect((await touchstone(['run', '--max-cost', '0.05', '--resume'], { cwd })).code).toBe(2);
  expect(await project.readCalls()).toHaveLength(asked);
  expect((await touchstone(['run', '--max-cost', '5', '--resume'], { cwd })).code).toBe(0);
  expect(await project.readCalls()).toHaveLength(20);
});

test('resuming with another config is refused with the difference, and nothing is called', async () => {
  const project = await writeSlowProject({ cases: 4, concurrency: 1 });
  const { folder: cwd } = project;
  await touchstone(['run', '--max-cost', '0.01'], { cwd, env: { SLOW_MS: '20' } });
  const asked = await project.readCalls();
  const dry = await touchstone(['run', '--resume', '--dry-run'], { cwd });
  expect(dry.stdout).toContain(`minus ${asked.length} already stored = ${4 - asked.length} call`);
  const refused = async (args: string[], message: RegExp) => {
    const { code, stderr } = await touchstone(['run', '--resume', ...args], { cwd });
    expect(code).toBe(4);
    expect(stderr).toMatch(message);
  };
  await refused(['--attempts', '2'], /attempts: it has 1, now 2/);
  const config = path.join(cwd, 'touchstone.config.yaml');
  await writeFile(config, `${await readFile(config, 'utf8')}metrics: [entities]\n`);
  await refused([], /metrics: it has .*latency.*, now /);
  expect(await project.readCalls()).toEqual(asked);
});

test.skipIf(!isReleaseTested)(
  'a closed output pipe ends the output, not the run, and causes no warning (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const project = await writeSlowProject({ cases: 200, concurrency: 8 });
    const shell = async (command: string) =>
      await promisify(execFile)('bash', ['-c', `set -o pipefail; ${command}`], {
        cwd: project.folder,
        env: {
          ...process.env,
          NODE: process.execPath,
          TOUCHSTONE: path.resolve(import.meta.dirname, '..', 'bin', 'touchstone.js'),
        },
      });
    await shell('"$NODE" "$TOUCHSTONE" run --verbose 2>&1 | head -1');
    expect((await project.readKept()).length).toBe(200);
    const head = await shell('"$NODE" "$TOUCHSTONE" export | head -1');
    expect(head.stderr).toBe('');
    expect(head.stdout).toMatch(/^\{"type":"run",/);
    const slow = await shell('"$NODE" "$TOUCHSTONE" export | (sleep 0.3; wc -l)');
    expect(slow).toEqual({ stdout: '402\n', stderr: '' });
  },
);

test('a killed run is listed as interrupted, and a live one as running', async () => {
  const project = await writeSlowProject({ cases: 4, concurrency: 1 });
  const list = async (...args: string[]) =>
    (await touchstone(['runs', ...args], { cwd: project.folder })).stdout;
  await touchstone(['run'], {
    cwd: project.folder,
    env: { SLOW_MS: '60000' },
    onStarted: async (child) => {
      await project.untilCalled(1);
      expect(await list()).toContain('running');
      expect(JSON.parse(await list('--json'))).toMatchObject([{ status: 'running' }]);
      child.kill('SIGKILL');
    },
  });
  expect(await list()).toContain('interrupted');
  expect(JSON.parse(await list('--json'))).toMatchObject([{ status: 'interrupted' }]);
  const resumed = await touchstone(['run', '--resume'], { cwd: project.folder });
  expect(resumed.code).not.toBe(4);
  expect(JSON.parse(await list('--json'))).toMatchObject([{ status: 'completed' }]);
});
