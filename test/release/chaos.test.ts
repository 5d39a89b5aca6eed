import type { ChildProcess } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/stats/random.ts';
import { touchstone } from '../run-cli.ts';
import { createDatabase, describeWithPostgres, startOwnServer } from '../support/postgres-server.ts';
import { describeWithRedis, startRedis } from '../support/redis-server.ts';
import { writeSlowProject } from '../slow-project.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';

/** The whole suite is `TOUCHSTONE_TEST_KILLS=100`: 20,000 cases and eight workers. */
const kills = Number(process.env['TOUCHSTONE_TEST_KILLS'] ?? 4);
const isWhole = kills >= 100;
const [cases, workers, concurrency] = [isWhole ? 200 * kills : 40 * kills, isWhole ? 8 : 3, 3];
const seed = process.env['TOUCHSTONE_TEST_SEED'] ?? 'chaos';

/** The parts that are killed, in this order, again and again. */
const victims = ['worker', 'queue', 'store', 'worker', 'first process'] as const;

describeWithPostgres('chaos', () => {
  describeWithRedis('with a queue', () => {
    test.skipIf(!isReleaseTested)(
      `${kills} kills of workers, the first process, the store and the queue lose nothing, and pay twice for what was in flight, seed ${seed} (needs TOUCHSTONE_TEST_ALL=1)`,
      async () => {
        const postgres = await startOwnServer();
        await using redis = await startRedis();
        const project = await writeSlowProject({ cases, concurrency });
        const bot = path.join(project.folder, 'bot.mjs');
        const noted = `if (globalThis.noted !== true) appendFileSync('workers.txt', process.pid + '\\n');\n  globalThis.noted = true;`;
        const code = (await readFile(bot, 'utf8')).replace(
          '  appendFileSync(',
          `  ${noted}\n  appendFileSync(`,
        );
        await writeFile(bot, code);
        const store = await createDatabase(postgres.url);
        const random = createRandom(seed);
        const left = Array.from({ length: kills }, (_, index) => victims[index % victims.length] ?? 'worker');
        const done: string[] = [];

        /** Kills the next victim a while after the run has begun to ask again. Returns false when it has ended before. */
        const killNext = async (child: ChildProcess): Promise<boolean> => {
          const calls = (await project.readCalls()).length;
          while ((await project.readCalls()).length < calls + 5 + random.next() * 20) {
            if (child.exitCode !== null || child.signalCode !== null) return false;
            await wait(10);
          }
          const victim = left.shift();
          if (victim === undefined) return false;
          done.push(victim);
          if (victim === 'store' || victim === 'queue') {
            const engine = victim === 'store' ? postgres : redis;
            await engine.kill();
            await wait(random.next() * 500);
            await engine.start();
          } else {
            const known = (await readLines(path.join(project.folder, 'workers.txt'))).slice(-workers);
            const alive = known.map(Number).filter(isAlive);
            const pid = victim === 'worker' ? alive[Math.floor(random.next() * alive.length)] : child.pid;
            if (pid !== undefined) process.kill(pid, 'SIGKILL');
          }
          return victim !== 'first process';
        };

        const args = ['run', '--json', '--store', store, '--workers', String(workers), '--queue', redis.url];
        let ended = { code: -1 as number | null, stdout: '', stderr: '' };
        for (let round = 0; ended.code !== 0 && round <= 10 * kills; round += 1) {
          ended = await touchstone(round === 0 ? args : [...args, '--resume'], {
            cwd: project.folder,
            env: { SLOW_MS: '30' },
            onStarted: async (child) => {
              while (await killNext(child));
            },
          });
          // The claim of a process that was killed ends after a while.
          if (ended.stderr.includes('being worked on')) await wait(2000);
        }
        expect(ended.code === 0 ? '' : ended.stderr).toBe('');
        expect(left).toEqual([]);
        const { summary } = JSON.parse(ended.stdout) as { summary: { targets: { counts: object }[] } };
        expect(summary.targets[0]?.counts).toMatchObject({ planned: cases, measured: cases, notRun: 0 });
        const calls = await project.readCalls();
        expect(new Set(calls).size).toBe(cases);
        const isOfOne = (victim: string) => victim === 'worker' || victim === 'queue';
        const inFlight = done.map((victim) => (isOfOne(victim) ? concurrency : workers * concurrency));
        expect(calls.length - cases).toBeLessThanOrEqual(inFlight.reduce((sum, each) => sum + each, 0));
      },
    );
  });
});

async function readLines(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
