import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Result } from '../src/core/schema/result.ts';
import { openPostgresStore } from '../src/stores/postgres/postgres.ts';
import { readRuns } from '../src/stores/store.ts';
import { writePaidProject } from './paid-project.ts';
import { touchstone } from './run-cli.ts';
import { isReleaseTested } from './support/is-release-tested.ts';
import { describeWithPostgres, startOwnServer, type TestServer } from './support/postgres-server.ts';

/** The way in which a store goes away. */
type Mode = 'fast' | 'immediate' | 'held';

/** An outage of the store during a run. */
interface Outage {
  readonly mode: Mode;
  /** The length; without it, the store comes back once a worker waits for it. Another one may not have begun yet. */
  readonly seconds?: number;
  /** The number of processes that work on the run; 0 for the one that begins it. */
  readonly workers: number;
}

const [cases, concurrency, waitMs] = [80, 4, 200];
const waiting = /This worker waits until it is back,/;

async function endOutage(server: TestServer, mode: Mode): Promise<void> {
  if (mode === 'held') server.letGo();
  else await server.start();
}

async function beginOutage(server: TestServer, mode: Mode): Promise<void> {
  if (mode === 'held') server.hold();
  else if (mode === 'fast') await server.stop();
  else await server.stopAtOnce();
}

/** Makes a run whose store goes away in its middle, and resumes it where it has not ended by itself. Bot and judge are paid servers. */
async function runThrough({ mode, seconds, workers }: Outage) {
  const server = await startOwnServer();
  const project = await writePaidProject({ cases, concurrency, delayMs: 50 });
  await project.writeConfig({ store: { use: 'postgres', url: server.url, waitMs, leaseMs: 1500 } });
  const args = ['run', '--json', ...(workers === 0 ? [] : ['--workers', String(workers)])];
  const cwd = project.folder;
  const first = await touchstone(args, {
    cwd,
    onStarted: async (child) => {
      let text = '';
      child.stderr?.on('data', (piece: string) => (text += piece));
      while (project.judge.requests.length < 20) await wait(10);
      await beginOutage(server, mode);
      if (seconds !== undefined) await wait(seconds * 1000);
      else while (!waiting.test(text)) await wait(20);
      await endOutage(server, mode);
    },
  });
  const resumed =
    first.code === 0 ? undefined : await touchstone([...args, '--resume'], { cwd, isAlone: true });
  const store = openPostgresStore(server.url);
  try {
    const [run] = await Array.fromAsync(readRuns(store));
    const results = await Array.fromAsync(store.readResults(run?.id ?? ''));
    return { first, resumed, run, results, project };
  } finally {
    await store.close();
  }
}

/** Expects that every question is answered and judged, by whatever way, and that nothing was asked twice but what was in flight. */
async function expectNoVerdictOfOutage(outage: Outage): Promise<Awaited<ReturnType<typeof runThrough>>> {
  const found = await runThrough(outage);
  const { first, resumed, run, results, project } = found;
  expect([resumed?.code ?? first.code, resumed?.stderr ?? first.stderr]).toEqual([0, expect.any(String)]);
  expect([run?.status, results.length]).toEqual(['completed', cases]);
  expect(results.map(({ trial }: Result) => trial.error ?? trial.status)).toEqual(
    Array.from({ length: cases }, () => 'completed'),
  );
  const verdicts = results.flatMap((result) => Object.values(result.verdicts));
  expect(verdicts.filter(({ status }) => status === 'failed')).toEqual([]);
  const inFlight = concurrency * Math.max(1, outage.workers);
  expect(project.bot.requests.length).toBeLessThanOrEqual(cases + inFlight);
  expect(project.judge.requests.length).toBeLessThanOrEqual(cases + inFlight);
  return found;
}

describeWithPostgres('a store that is away for longer than it is waited for', () => {
  test('is no failure of the bot: its workers go on once it is back, ask nothing twice, and the run ends by itself', async () => {
    const { first, project } = await expectNoVerdictOfOutage({ mode: 'immediate', workers: 2 });
    expect([first.code, first.stderr]).toEqual([0, expect.stringMatching(/The store is back\./)]);
    expect(first.stderr).not.toMatch(/died|failed/);
    expect(project.bot.requests.length).toBe(cases);
  });

  test.skipIf(!isReleaseTested).each<Outage>([
    { mode: 'immediate', seconds: 7, workers: 0 },
    { mode: 'held', seconds: 7, workers: 0 },
    { mode: 'fast', seconds: 5, workers: 2 },
    { mode: 'held', seconds: 12, workers: 2 },
    { mode: 'immediate', seconds: 12, workers: 8 },
  ])('is no failure of the bot: %j (needs TOUCHSTONE_TEST_ALL=1)', async (outage) => {
    await expectNoVerdictOfOutage(outage);
  });
});
