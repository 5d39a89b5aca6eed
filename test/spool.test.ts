import { execFileSync } from 'node:child_process';
import { appendFile, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { touchstone } from './run-cli.ts';
import { describeWithPostgres, startOwnServer } from './support/postgres-server.ts';
import { writeSlowProject } from './slow-project.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

const [cases, concurrency, workers] = [40, 2, 2];
const isAlone = true;

/** Returns the processes that a process has started. */
function childrenOf(pid: number): number[] {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return Array.from(listed.matchAll(/(\d+)\s+(\d+)/g))
    .filter(([, , parent]) => Number(parent) === pid)
    .map(([, child]) => Number(child));
}

describeWithPostgres('workers whose store in PostgreSQL is killed for longer than they wait for it', () => {
  async function createProject() {
    const server = await startOwnServer();
    const project = await writeSlowProject({ cases, concurrency });
    const cwd = project.folder;
    const store = `store: { use: postgres, url: '${server.url}', waitMs: 500, leaseMs: 1500 }\n`;
    await appendFile(path.join(cwd, 'touchstone.config.yaml'), store);
    const spool = path.join(cwd, '.touchstone', 'spool');
    const readSpool = async () => {
      const files = await readdir(spool).catch(() => []);
      return await Promise.all(files.map(async (file) => await readFile(path.join(spool, file), 'utf8')));
    };
    return { server, project, cwd, spool, readSpool };
  }
  const countsIn = (stdout: string): unknown => JSON.parse(stdout).summary.targets[0].counts;
  const env = { SLOW_MS: '400' };
  const args = ['run', '--json', '--workers', String(workers)];
  const waiting = /This worker waits until it is back/g;
  /** Collects what a process says, until every worker waits for the store. */
  const untilWaiting = async (stderr: NodeJS.ReadableStream) => {
    let text = '';
    stderr.on('data', (piece: string) => (text += piece));
    while ((text.match(waiting) ?? []).length < workers) await wait(20);
  };

  test.skipIf(!isReleaseTested)(
    'keep what they were answered, store it when the store is back, and ask nothing twice (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { server, project, cwd, spool, readSpool } = await createProject();
      const { code, stdout, stderr } = await touchstone(args, {
        cwd,
        env,
        onStarted: async (child) => {
          await project.untilCalled(6);
          await server.kill();
          await untilWaiting(child.stderr as NodeJS.ReadableStream);
          expect((await readSpool()).join('')).toContain('"answer":"yes, call');
          for (const file of await readdir(spool))
            expect((await stat(path.join(spool, file))).mode & 0o777).toBe(0o600);
          const calls = await project.readCalls();
          await wait(300);
          expect(await project.readCalls()).toEqual(calls);
          await server.start();
        },
      });
      expect([code, stderr]).toEqual([
        0,
        expect.stringMatching(/answers? saved in .* (is|are) now stored\./),
      ]);
      expect(countsIn(stdout)).toMatchObject({ planned: cases, measured: cases, notRun: 0 });
      expect(await readSpool()).toEqual([]);
      expect((await project.readCalls()).toSorted()).toEqual(
        [...new Set(await project.readCalls())].toSorted(),
      );
      expect(JSON.parse(stdout).run.lateAnswers).toBeUndefined();
    },
  );

  test.skipIf(!isReleaseTested)(
    'and are killed meanwhile: the next ones wait too, store it first, lose nothing and ask nothing twice (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { server, project, cwd, readSpool } = await createProject();
      const { code, stdout, stderr } = await touchstone(args, {
        cwd,
        env,
        onStarted: async (child) => {
          await project.untilCalled(6);
          await server.kill();
          await untilWaiting(child.stderr as NodeJS.ReadableStream);
          expect((await readSpool()).length).toBeGreaterThan(0);
          for (const pid of childrenOf(child.pid as number)) process.kill(pid, 'SIGKILL');
          await untilWaiting(child.stderr as NodeJS.ReadableStream);
          await server.start();
        },
      });
      expect([code, stderr]).toEqual([
        0,
        expect.stringMatching(/answers? saved in .* (is|are) now stored\./),
      ]);
      expect(countsIn(stdout)).toMatchObject({ planned: cases, measured: cases, notRun: 0 });
      expect(await readSpool()).toEqual([]);
      const calls = await project.readCalls();
      expect(calls.length).toBe(cases);
      expect(new Set(calls).size).toBe(cases);
    },
  );

  test.skipIf(!isReleaseTested)(
    'a worker that is started by hand stores what an earlier one has kept (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { server, project, cwd, readSpool } = await createProject();
      const spool = path.join(cwd, 'kept');
      const run = await touchstone([...args.slice(0, -1), '1', '--spool', spool], {
        cwd,
        env,
        onStarted: async (child) => {
          await project.untilCalled(3);
          await server.kill();
          let text = '';
          child.stderr?.on('data', (piece: string) => (text += piece));
          while ((text.match(waiting) ?? []).length < 1) await wait(20);
          child.kill('SIGKILL');
          for (const pid of childrenOf(child.pid as number)) process.kill(pid, 'SIGKILL');
        },
      });
      expect(run.code).toBe(null);
      await server.start();
      const worker = await touchstone(['worker', '--spool', spool], { cwd, env: { SLOW_MS: '20' }, isAlone });
      expect([worker.code, worker.stderr]).toEqual([
        0,
        expect.stringMatching(/answers? saved in .* (is|are) now stored\./),
      ]);
      expect((await project.readCalls()).length).toBe(cases);
      expect(await readSpool()).toEqual([]);
    },
  );
});
