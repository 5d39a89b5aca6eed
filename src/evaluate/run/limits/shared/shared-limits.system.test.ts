import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startSpender } from '../../../../../test/support/budget-spender.ts';
import { startProvider } from '../../../../../test/support/counting-provider.ts';
import {
  createDatabase,
  describeWithPostgres,
  sharedServer,
} from '../../../../../test/support/postgres-server.ts';
import { isReleaseTested } from '../../../../../test/support/is-release-tested.ts';

const cost = 0.01;
const concurrency = 4;

/** Lets three processes spend one budget of 200 answers, and kills one of them. Returns what the provider was asked and what they know. */
async function spendTogether(store: string) {
  const provider = await startProvider({ latencyMs: 40, cost });
  const spenders = Array.from({ length: 3 }, () =>
    startSpender({ store, url: provider.url, maxCost: 2, concurrency }),
  );
  onTestFinished(() => {
    provider.close();
    for (const { child } of spenders) child.kill('SIGKILL');
  });
  while (provider.arrivals.length < 60) await pause(10);
  spenders[0]?.child.kill('SIGKILL');
  const results = await Promise.all(spenders.map(({ result }) => result));
  return { asked: provider.arrivals.length, spent: results.slice(1).map((result) => result?.spent ?? 0) };
}

/** Checks that the budget was used, and exceeded by no more than the answers that the killed process did not report. */
function check({ asked, spent }: Awaited<ReturnType<typeof spendTogether>>): void {
  // It had calls in flight, and some that it might still begin.
  const unreported = 3 * concurrency;
  expect(asked * cost).toBeLessThanOrEqual(2 + unreported * cost);
  for (const each of spent) expect(each).toBeLessThanOrEqual(2 + 1e-9);
  expect(Math.max(...spent)).toBeGreaterThan(2 - 0.1);
}

test.skipIf(!isReleaseTested)(
  'processes with the same SQLite store spend one budget (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-test-'));
    onTestFinished(async () => await rm(folder, { recursive: true, force: true }));
    const seen = await spendTogether(path.join(folder, 'touchstone.db'));
    expect(seen.asked).toBeGreaterThan(180);
    check(seen);
  },
);

describeWithPostgres('the budget of processes with the same PostgreSQL store', () => {
  test.skipIf(!isReleaseTested)('it is spent together (needs TOUCHSTONE_TEST_ALL=1)', async () => {
    const seen = await spendTogether(await createDatabase(await sharedServer()));
    expect(seen.asked).toBeGreaterThan(180);
    check(seen);
  });
});
