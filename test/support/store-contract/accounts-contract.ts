import type { AuditEntry } from '../../../src/core/schema/account/account.ts';
import type { NextEntry } from '../../../src/stores/accounts/account-store.ts';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import type { StoreTest } from './store-records.ts';

/** Registers the tests that every store must pass with the accounts of a server and its audit log. */
export function testAccounts(storeTest: StoreTest, expect: TestRunner['expect']): void {
  const entryAfter =
    (action: string): NextEntry =>
    (last, now): AuditEntry => ({
      number: (last?.number ?? 0) + 1,
      at: new Date(now).toISOString(),
      who: 'ann',
      address: null,
      action,
      project: 'main',
      object: 'nul \u0000, \u{1f642}',
      previous: last?.hash ?? '',
      hash: `${last?.hash ?? ''}${action}`,
    });

  storeTest(
    'records of accounts are apart from shared records, and of many changes none is lost',
    async (store) => {
      const { records } = store.accounts;
      const add = async () =>
        await records.change<number, number>('count', (before = 0) => ({
          value: before + 1,
          result: before,
        }));
      const results = await Promise.all(Array.from({ length: 20 }, add));
      expect(results.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index));
      await records.change('people/ann', () => ({ value: { name: 'ann' }, result: undefined }));
      expect(await records.list('people/')).toEqual([{ name: 'people/ann', value: { name: 'ann' } }]);
      expect(await store.shared.list('')).toEqual([]);
      await store.shared.change('count', () => ({ value: 7, result: undefined }));
      expect(await records.list('count')).toEqual([{ name: 'count', value: 20 }]);
      expect(await records.remove('count')).toBe(true);
      expect(await records.remove('count')).toBe(false);
    },
  );

  storeTest(
    'entries of the audit log follow each other, also those added at the same time',
    async ({ accounts }) => {
      expect(await accounts.readEntries(0)).toEqual([]);
      const first = await accounts.addEntry(entryAfter('a'));
      expect(await accounts.readEntries(0)).toEqual([first]);
      await Promise.all(Array.from({ length: 15 }, () => accounts.addEntry(entryAfter('b'))));
      const entries = await accounts.readEntries(0);
      expect(entries.map(({ number }) => number)).toEqual(
        Array.from({ length: 16 }, (_, index) => index + 1),
      );
      for (const [index, entry] of entries.slice(1).entries())
        expect(entry.previous).toBe(entries[index]?.hash);
      expect(await accounts.readEntries(14)).toEqual(entries.slice(14));
      expect(await accounts.readEntries(16)).toEqual([]);
    },
  );
}
