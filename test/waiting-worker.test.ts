import type { ChildProcess } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type Ended, touchstone } from './run-cli.ts';
import { writeSlowProject } from './slow-project.ts';

/** The calls of one process alone are a few, so that the other one finds something to do. */
const [cases, concurrency, alone] = [120, 3, 10];

/** A project whose bot notes the process that calls it, and with `TOGETHER=1` waits after a few calls until two processes have called. */
async function writeProject() {
  const project = await writeSlowProject({ cases, concurrency });
  const bot = path.join(project.folder, 'bot.mjs');
  const noted = `appendFileSync('workers.txt', process.pid + '\\n');
  const callers = () => readFileSync('workers.txt', 'utf8').trim().split('\\n').slice(Number(process.env.BEFORE));
  while (process.env.TOGETHER === '1' && callers().length > ${alone} && new Set(callers()).size < 2)
    await new Promise((resolve) => setTimeout(resolve, 20));`;
  await writeFile(
    bot,
    (await readFile(bot, 'utf8')).replace('  appendFileSync(', `  ${noted}\n  appendFileSync(`),
  );
  const callsOf = async (pid: number | undefined) => {
    const text = await readFile(path.join(project.folder, 'workers.txt'), 'utf8').catch(() => '');
    return text.split('\n').filter((line) => line === `${pid}`).length;
  };
  return { ...project, callsOf };
}

/** Starts a worker that waits, in a folder. */
async function startWaiting(cwd: string): Promise<{ child: ChildProcess; ended: Promise<Ended> }> {
  const started = Promise.withResolvers<ChildProcess>();
  const ended = touchstone(['worker', '--wait'], { cwd, env: { SLOW_MS: '30' }, onStarted: started.resolve });
  const child = await started.promise;
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  while (!said.includes('Waiting for runs')) await wait(20);
  return { child, ended };
}

test('a worker that waits helps with one run after the other, loses nothing when it is killed, and ends in peace', async () => {
  const project = await writeProject();
  const cwd = project.folder;
  const start = { cwd, env: { SLOW_MS: '30' }, isAlone: true };
  const first = await startWaiting(cwd);
  const run = async (onStarted?: () => Promise<void>) => {
    const before = (await project.readCalls()).length;
    const env = { ...start.env, TOGETHER: '1', BEFORE: `${before}` };
    const { code, stdout } = await touchstone(['run', '--json', '--workers', '1'], {
      ...start,
      env,
      onStarted,
    });
    const { summary } = JSON.parse(stdout) as { summary: { targets: { counts: object }[] } };
    expect([code, summary.targets[0]?.counts]).toMatchObject([0, { planned: cases, measured: cases }]);
  };
  await run();
  const helped = await project.callsOf(first.child.pid);
  expect(helped).toBeGreaterThan(0);
  expect(await project.readCalls()).toHaveLength(cases);

  await run(async () => {
    while ((await project.callsOf(first.child.pid)) < helped + 5) await wait(10);
    first.child.kill('SIGKILL');
  });
  expect((await project.readCalls()).length).toBeLessThanOrEqual(2 * cases + concurrency);
  expect((await first.ended).code).toBeNull();

  // A run of one process is not open to workers, and a worker that has nothing to do ends at once.
  const second = await startWaiting(cwd);
  expect((await touchstone(['run', '--json'], start)).code).toBe(0);
  expect(await project.callsOf(second.child.pid)).toBe(0);
  second.child.kill('SIGTERM');
  expect((await second.ended).code).toBe(0);
});
