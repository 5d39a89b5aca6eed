import { expect, test } from 'vitest';
import { createMemoryShared } from '../../../test/support/memory-shared.ts';
import type { SharedRecords } from '../../stores/shared/shared-records.ts';
import { createSharedRates, type Rates } from './shared-rates.ts';

const rates: Rates = { ingest: 20, api: 2, login: 5 };
const ann = { kind: 'token', name: 'ann' } as const;

/** Counts how many of several requests at once are let through. */
async function countAllowed(takes: readonly (() => Promise<void>)[]): Promise<number> {
  const results = await Promise.allSettled(takes.map(async (take) => await take()));
  return results.filter(({ status }) => status === 'fulfilled').length;
}

/** At most so many permits come back while a test runs. */
const slack = 3;

test('two servers on one store let a sender through as often as one, and others by themselves', async () => {
  const shared = createMemoryShared();
  const servers = [createSharedRates({ shared }, rates), createSharedRates({ shared }, rates)];
  const takes = Array.from(
    { length: 60 },
    (_, index) => () => servers[index % 2]?.('api', ann) as Promise<void>,
  );
  const allowed = await countAllowed(takes);
  expect(allowed).toBeGreaterThanOrEqual(20);
  expect(allowed).toBeLessThanOrEqual(20 + slack);
  await expect(servers[0]?.('api', ann)).rejects.toMatchObject({ code: 'rate-limited' });
  await servers[0]?.('api', { ...ann, name: 'bob' });
  await servers[0]?.('ingest', ann);
  const address = { kind: 'address', name: '192.0.2.1' } as const;
  const ofAddress = await countAllowed(
    Array.from({ length: 150 }, () => () => servers[0]?.('api', address) as Promise<void>),
  );
  expect(ofAddress).toBeGreaterThanOrEqual(100);
  expect(ofAddress).toBeLessThanOrEqual(100 + 5 * slack);
});

test('without the store, records still come in up to the rate of one server and are counted; other requests fail', async () => {
  const away = async () => {
    throw new Error('the store is away');
  };
  const shared: SharedRecords = { change: away, list: away, remove: away };
  const opened: number[] = [];
  const take = createSharedRates({ shared }, rates, (count) => opened.push(count));
  const allowed = await countAllowed(Array.from({ length: 60 }, () => () => take('ingest', ann)));
  expect(allowed).toBeGreaterThanOrEqual(40);
  expect(allowed).toBeLessThanOrEqual(40 + 10 * slack);
  expect(opened.at(-1)).toBe(60);
  await expect(take('api', ann)).rejects.toThrow('the store is away');
});
