import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startModelServer } from '../src/library/testing/model-server/model-server.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

const index = pathToFileURL(path.resolve(import.meta.dirname, '../src/library/index.ts')).href;

/** A bot that never answers, ignores requests to end, and has started another such process. */
const stubborn = `import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
appendFileSync('pids.txt', process.pid + '\\n');
process.on('SIGTERM', () => {});
process.stdin.resume();
if (process.argv[2] !== 'child') {
  spawn(process.execPath, ['stubborn.mjs', 'child'], { stdio: ['pipe', 'inherit', 'inherit'] });
  process.stdin.once('data', () => process.stdout.write('not for you\\\\n'));
}
setInterval(() => {}, 1000);
`;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Creates a project of targets that hang in different ways, with the server that two of them call. */
async function hangingProject() {
  const server = await startModelServer({ fault: 'hang' });
  const folder = await temporaryFolder();
  const write = async (name: string, text: string) => await writeFile(path.join(folder, name), text);
  await write('stubborn.mjs', stubborn);
  await write('module.mjs', 'export default () => new Promise(() => {});');
  await write('golden.jsonl', ['a', 'b', 'c'].map((question) => JSON.stringify({ question })).join('\n'));
  const command = [process.execPath, 'stubborn.mjs'];
  const config = {
    dataset: 'golden.jsonl',
    targets: [
      { use: 'http', url: `${server.url}/chat/completions`, body: { model: 'm', messages: '{{messages}}' } },
      { use: 'chat', model: { use: 'openai-chat', model: 'm', baseUrl: server.url } },
      { use: 'command', name: 'lines', command, closeTimeLimitMs: 50 },
      { use: 'command', name: 'once', command, mode: 'once' },
      { use: 'module', path: 'module.mjs' },
    ],
    scorecard: null,
    metrics: ['latency'],
    timeLimitMs: 400,
    concurrency: 2,
    maxRetries: 0,
  };
  await write('touchstone.config.yaml', JSON.stringify(config));
  const started = async () =>
    (await readFile(path.join(folder, 'pids.txt'), 'utf8')).trim().split('\n').map(Number);
  return { server, folder, config, started };
}

/** Waits until the processes have ended that were killed, and their connections with them. */
async function untilNothingIsLeft(project: Awaited<ReturnType<typeof hangingProject>>): Promise<void> {
  const pids = await project.started();
  await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  await expect.poll(() => project.server.connections).toBe(0);
}

test('no process and no connection is left after all calls timed out', async () => {
  const project = await hangingProject();
  await using _server = project.server;
  const { code, stdout } = await touchstone(['run', '--json'], { cwd: project.folder });
  expect(code).toBe(2);
  const codes = JSON.parse(stdout).results.map(
    ({ trial }: { trial: { error?: { code: string } } }) => trial.error?.code,
  );
  expect(codes).toEqual(Array(15).fill('timeout'));
  // Each question has a process and its child; on a busy machine not all of them start in time.
  expect((await project.started()).length).toBeGreaterThanOrEqual(4);
  await untilNothingIsLeft(project);
});

test.skipIf(!isReleaseTested)(
  'a run that is interrupted twice or terminated leaves nothing behind (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const project = await hangingProject();
      await using _server = project.server;
      await writeFile(
        path.join(project.folder, 'touchstone.config.yaml'),
        JSON.stringify({ ...project.config, timeLimitMs: 600_000 }),
      );
      const { code } = await touchstone(['run'], {
        cwd: project.folder,
        onStarted: async (child) => {
          const isUnderWay = async () => (await project.started().catch(() => [])).length;
          await expect.poll(isUnderWay).toBeGreaterThanOrEqual(4);
          await expect.poll(() => project.server.openRequests).toBe(4);
          child.kill(signal);
          child.kill(signal);
          await wait(100);
          child.kill(signal);
        },
      });
      // The last signal may come after the listeners were removed, and then ends the process itself.
      expect([130, null]).toContain(code);
      await untilNothingIsLeft(project);
    }
  },
);

test.skipIf(!isReleaseTested)(
  'a finished run in a program leaves no socket, process or timer open (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const project = await hangingProject();
    await using _server = project.server;
    const program = path.join(project.folder, 'program.mjs');
    await writeFile(
      program,
      `import { run } from ${JSON.stringify(index)};
     const { summary } = await run('.');
     const left = () => process.getActiveResourcesInfo().filter((name) => /TCP|Process|Timeout|FSReq/.test(name));
     // Closing and killing may take a while on a busy machine.
     const until = Date.now() + 100_000;
     while (left().length > 0 && Date.now() < until) await new Promise((resolve) => setImmediate(resolve));
     console.log(JSON.stringify({ left: left(), errors: summary.targets.map(({ counts }) => counts.errors) }));`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [program], { cwd: project.folder });
    expect(JSON.parse(stdout)).toEqual({ left: [], errors: [3, 3, 3, 3, 3] });
    await untilNothingIsLeft(project);
  },
);
