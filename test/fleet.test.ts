import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { findFreePort } from '../scripts/find-free-port.ts';
import type { Report } from '../src/core/schema/api/report.ts';
import { touchstone } from './run-cli.ts';
import { writeSlowProject } from './slow-project.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

const [cases, concurrency] = [120, 2];
const program = path.resolve(import.meta.dirname, '..', 'bin', 'touchstone.js');
type Project = Awaited<ReturnType<typeof writeSlowProject>>;

const begun: ChildProcess[] = [];
afterEach(() => {
  for (const child of begun.splice(0)) child.kill('SIGKILL');
});

/** Begins a process of the command line, which ends with the test. */
function begin(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  begun.push(child);
  let stderr = '';
  let stdout = '';
  child.stdout.on('data', (piece: Buffer) => (stdout += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
  return { child, ended, readStderr: () => stderr };
}

/** Begins a run whose one worker is slow, so that another one has something to help with. */
async function beginRun(project: Project, { slowMs = 100 } = {}) {
  const run = begin(['run', '--workers', '1', '--json'], project.folder, { SLOW_MS: String(slowMs) });
  await project.untilCalled(1);
  return run;
}

/** Ends a run whose calls take too long to wait for. */
async function cancel({ child, ended, readStderr }: ReturnType<typeof begin>): Promise<void> {
  child.kill('SIGINT');
  while (!readStderr().includes('Ctrl-C again')) await wait(20);
  await wait(100);
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
}

async function untilShown(project: Project, pattern: RegExp): Promise<string> {
  for (;;) {
    const { stdout } = await touchstone(['show'], { cwd: project.folder });
    if (pattern.test(stdout)) return stdout;
    await wait(100);
  }
}

async function readState(port: number, place: string) {
  const response = await fetch(`http://127.0.0.1:${port}${place}`).catch(() => undefined);
  return [response?.status, await response?.json().catch(() => undefined)];
}

test.skipIf(!isReleaseTested)(
  'the workers of a run are shown while they work, with those that are unfit and why (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const project = await writeSlowProject({ cases, concurrency });
    const run = await beginRun(project, { slowMs: 1500 });
    const shown = await untilShown(project, /questions \d+-\d+/);
    expect(shown).toMatch(/Run \S+: 1 worker\n +Worker +State +Done +In flight/);
    await writeFile(
      path.join(project.folder, 'other.yaml'),
      'dataset: golden.jsonl\ntargets: [{ use: module, path: bot.mjs }]\nmetrics: [{ use: keywords, name: tone }]\n',
    );
    const unfit = await touchstone(['worker', '--config', 'other.yaml'], {
      cwd: project.folder,
      isAlone: true,
    });
    expect(unfit.code).toBe(4);
    expect(await untilShown(project, /unfit/)).toMatch(
      /: 2 workers, 1 of them unfit\n[^]*unfit: metric \S+ differs/,
    );
    const shownAsJson = await touchstone(['show', '--json'], { cwd: project.folder });
    const { workers } = JSON.parse(shownAsJson.stdout) as Report;
    expect(workers?.map(({ state }) => state).toSorted()).toEqual(['unfit', 'working']);
    const watch = begin(['runs', '--watch'], project.folder);
    await once(watch.child.stdout as NodeJS.ReadableStream, 'data');
    watch.child.kill('SIGINT');
    expect((await watch.ended).stdout).toMatch(/: 2 workers, 1 of them unfit/);
    while (!run.readStderr().includes('is unfit')) await wait(50);
    expect(run.readStderr()).toMatch(/The worker \d+ on \S+ is unfit: metric \S+ differs/);
    run.child.kill('SIGINT');
    await run.ended;
  },
);

test.skipIf(!isReleaseTested)(
  'a worker with another lock file or in another image says so, and works all the same (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const project = await writeSlowProject({ cases, concurrency });
    const lock = path.join(project.folder, 'package-lock.json');
    await writeFile(lock, '{}');
    const run = begin(['run', '--workers', '1', '--json'], project.folder, {
      SLOW_MS: '1000',
      TOUCHSTONE_IMAGE: 'evals@sha256:1234',
    });
    await project.untilCalled(1);
    await writeFile(lock, '{ "a": 1 }');
    const helper = begin(['worker'], project.folder, { TOUCHSTONE_IMAGE: 'evals@sha256:5678' });
    expect(await helper.ended).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /This worker has a different lock file of packages[^]*has the image evals@sha256:5678, and the run evals@sha256:1234\./,
      ),
    });
    const { code, stdout, stderr } = await run.ended;
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('lock file')]);
    expect(JSON.parse(stdout).run.environment).toMatchObject({
      image: 'evals@sha256:1234',
      node: expect.any(Number),
    });
  },
);

test('SIGTERM lets a worker finish and store its calls and give its part back, and all is asked once', async () => {
  const project = await writeSlowProject({ cases, concurrency });
  const run = await beginRun(project, { slowMs: 1000 });
  const helper = begin(['worker'], project.folder, { SLOW_MS: '1000' });
  await untilShown(project, /: 2 workers\n/);
  helper.child.kill('SIGTERM');
  expect(await helper.ended).toMatchObject({
    code: 130,
    stderr: expect.stringContaining('Finishing the calls in flight, for 30 s at most.'),
  });
  expect(await untilShown(project, /: 1 worker\n/)).not.toContain('silent');
  run.child.kill('SIGINT');
  await run.ended;
  const calls = (await project.readCalls()).length;
  expect(await project.readKept()).toHaveLength(calls);
  expect(calls).toBeLessThan(cases);
  const resumed = await touchstone(['run', '--resume', '--workers', '2'], {
    cwd: project.folder,
    isAlone: true,
  });
  expect(resumed.code).toBe(0);
  expect(await project.readCalls()).toHaveLength(cases);
});

test.skipIf(!isReleaseTested)(
  'calls that last too long after SIGTERM are cancelled, and a second signal ends a worker at once (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const project = await writeSlowProject({ cases, concurrency });
    const run = await beginRun(project, { slowMs: 60_000 });
    const patient = begin(['worker', '--stop-within', '200ms'], project.folder, { SLOW_MS: '60000' });
    const hasty = begin(['worker'], project.folder, { SLOW_MS: '60000' });
    // Each of the three processes has one call in flight until the first is answered.
    await project.untilCalled(3);
    patient.child.kill('SIGTERM');
    expect(await patient.ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('Cancelling the calls in flight.'),
    });
    hasty.child.kill('SIGTERM');
    while (!hasty.readStderr().includes('A second signal ends this worker at once')) await wait(20);
    await wait(100);
    hasty.child.kill('SIGTERM');
    expect((await hasty.ended).code).toBe(130);
    await cancel(run);
  },
);

test.skipIf(!isReleaseTested)(
  'the end of a run reaches a worker that was started by hand, and later ones (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const project = await writeSlowProject({ cases, concurrency });
    const run = await beginRun(project);
    const helper = begin(['worker'], project.folder, { SLOW_MS: '100' });
    await untilShown(project, /: 2 workers/);
    run.child.kill('SIGINT');
    const stopped = {
      code: 130,
      stderr: expect.stringMatching(/Run \S+ was stopped by the process that began it\./),
    };
    expect(await helper.ended).toMatchObject(stopped);
    expect((await run.ended).code).toBe(130);
    const calls = (await project.readCalls()).length;
    expect(calls).toBeLessThan(cases);
    expect(await project.readKept()).toHaveLength(calls);
    expect(await touchstone(['worker'], { cwd: project.folder, isAlone: true })).toMatchObject(stopped);
    const resumed = await touchstone(['run', '--resume', '--workers', '2'], {
      cwd: project.folder,
      isAlone: true,
    });
    expect(resumed.code).toBe(0);
    expect(await project.readCalls()).toHaveLength(cases);
  },
);

test.skipIf(!isReleaseTested)(
  'a worker says on a port of its own that it is alive, and that it is fit (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const project = await writeSlowProject({ cases, concurrency });
    const run = await beginRun(project, { slowMs: 60_000 });
    const port = await findFreePort();
    const args = ['worker', '--stop-within', '3s', '--health-port', String(port)];
    const helper = begin(args, project.folder, { SLOW_MS: '60000' });
    while ((await readState(port, '/healthz'))[0] !== 200) await wait(20);
    while ((await readState(port, '/healthz/ready'))[0] !== 200) await wait(20);
    expect(await readState(port, '/healthz/ready')).toEqual([200, { state: 'ready' }]);
    expect((await readState(port, '/other'))[0]).toBe(404);
    await project.untilCalled(2);
    helper.child.kill('SIGTERM');
    while ((await readState(port, '/healthz/ready'))[0] === 200) await wait(5);
    expect(await readState(port, '/healthz')).toEqual([200, { state: 'stopping' }]);
    expect((await helper.ended).code).toBe(130);
    await cancel(run);
  },
);
