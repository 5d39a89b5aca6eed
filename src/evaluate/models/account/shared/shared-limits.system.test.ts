import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { longestGap, mostWithin, startProvider } from '../../../../../test/support/counting-provider.ts';
import { startCaller } from '../../../../../test/support/limited-caller.ts';
import {
  createDatabase,
  describeWithPostgres,
  sharedServer,
} from '../../../../../test/support/postgres-server.ts';
import { isReleaseTested } from '../../../../../test/support/is-release-tested.ts';

const perSecond = 150;

/**
 * Lets four processes call under one rate, of which one is killed, while the provider refuses everything for a moment. Returns
 * what the provider and the other callers saw.
 */
async function callTogether(store: string) {
  const provider = await startProvider({ perSecond: 2 * perSecond, latencyMs: 30 });
  const limits = { requestsPerMinute: 60 * perSecond };
  const task = { store, url: provider.url, limits, forMs: 5000, concurrency: 40 };
  const callers = Array.from({ length: 4 }, () => startCaller(task));
  onTestFinished(() => {
    provider.close();
    for (const { child } of callers) child.kill('SIGKILL');
  });
  await Promise.all(callers.map(({ ready }) => ready));
  for (const { begin } of callers) begin();
  await pause(1200);
  provider.refuseFor(1500);
  await pause(2300);
  callers[0]?.child.kill('SIGKILL');
  const [killed, ...others] = await Promise.all(callers.map((caller) => caller.figures));
  expect(killed).toBeUndefined();
  const { arrivals, refused } = provider;
  return {
    lost: others.reduce((sum, figures) => sum + (figures?.lost ?? Infinity), 0),
    fewest: Math.min(...others.map((figures) => figures?.answered ?? 0)),
    refused: refused.length,
    most: mostWithin(arrivals, 1000),
    gapMs: longestGap(arrivals),
    stillMs: Math.max(...others.map((figures) => figures?.stillMs ?? 0)),
  };
}

/** Checks figures. A process that stands still on a busy machine begins calls so much later, some of them together. */
function check({ lost, fewest, most, gapMs, stillMs }: Awaited<ReturnType<typeof callTogether>>): void {
  expect(lost).toBe(0);
  expect(fewest).toBeGreaterThan(0);
  expect(most).toBeLessThan(1.4 * perSecond * (1 + stillMs / 1000));
  expect(gapMs).toBeGreaterThan(1400 - stillMs);
}

test.skipIf(!isReleaseTested)(
  'processes with the same SQLite store hold one rate and one pause (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-test-'));
    onTestFinished(async () => await rm(folder, { recursive: true, force: true }));
    const seen = await callTogether(path.join(folder, 'touchstone.db'));
    expect(seen.refused).toBeGreaterThan(0);
    check(seen);
  },
);

test('a process that forgets to dispose of its limits ends nevertheless, and its record runs out', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-test-'));
  onTestFinished(async () => await rm(folder, { recursive: true, force: true }));
  const urlOf = (file: string) => JSON.stringify(pathToFileURL(path.join(import.meta.dirname, file)).href);
  const program = `
    const { createSharedRateLimiter } = await import(${urlOf('shared-rate-limiter.ts')});
    const { openSqliteStore } = await import(${urlOf('../../../../stores/sqlite/sqlite.ts')});
    const store = openSqliteStore(process.argv[1]);
    const account = createSharedRateLimiter(store.shared).findAccount('http://bot', { requestsPerMinute: 600 });
    const call = { signal: new AbortController().signal, tokens: 1, isRetry: false };
    for (let index = 0; index < 3; index += 1)
      (await account.acquire(call)).release({ type: 'answered', latencyMs: 1 });
    await store.close();
    console.log('closed');`;
  const child = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    program,
    path.join(folder, 'touchstone.db'),
  ]);
  let said = '';
  for await (const part of child.stdout) said += String(part);
  expect([said, child.exitCode ?? (await once(child, 'close'))[0]]).toEqual(['closed\n', 0]);
});

describeWithPostgres('limits of processes with the same PostgreSQL store', () => {
  test.skipIf(!isReleaseTested)(
    'they hold one rate and one pause (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const seen = await callTogether(await createDatabase(await sharedServer()));
      expect(seen.refused).toBeGreaterThan(0);
      check(seen);
    },
  );
});
