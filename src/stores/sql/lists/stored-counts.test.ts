import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { fillLarge } from '../../../../test/support/store-contract/counts-contract.ts';
import { createBlobMemory } from '../blobs.ts';
import { createSqlStore } from '../sql-store.ts';
import { migrate } from '../../sqlite/migrations.ts';
import { createSqliteDatabase } from '../../sqlite/sqlite-database.ts';

async function openFilled(onCounted = () => {}) {
  const connection = new DatabaseSync(':memory:');
  migrate(connection, 'memory');
  const database = createSqliteDatabase(connection, 'memory');
  const all: typeof database.all = async (sql, values) => {
    const rows = await database.all(sql, values);
    if (sql.includes('GROUP BY')) onCounted();
    return rows;
  };
  const watched = { ...database, all };
  const store = createSqlStore(watched, {
    exists: async () => true,
    claimRun: async () => ({ lost: new AbortController().signal, [Symbol.asyncDispose]: async () => {} }),
    isClaimed: async () => false,
    blobs: createBlobMemory(),
  });
  onTestFinished(async () => await store.close());
  await fillLarge(store);
  const stored = () => connection.prepare('SELECT question, counts FROM stored_counts').all();
  return { connection, store, stored };
}

test('counts over all trials of a large run are made once, and answered from the store', async () => {
  const { connection, store, stored } = await openFilled();
  await store.countTrials('large', {
    by: ['category'],
    where: [{ field: 'id', operator: '=', values: ['case-0'] }],
  });
  expect(stored()).toEqual([]);
  await store.countTrials('large', { by: ['category'] });
  await store.countTraits('large');
  expect(stored()).toHaveLength(2);
  connection.exec(`UPDATE stored_counts SET counts = '["stored"]'`);
  expect(await store.countTrials('large', { by: ['category'] })).toEqual(['stored']);
  expect(await store.countTraits('large')).toEqual(['stored']);
});

test('counts that were made while a row changed are not stored, and those of a run that goes on do not hold', async () => {
  let change = () => connection.exec("UPDATE trials SET status = 'failed' WHERE ordinal = 7");
  const { connection, store, stored } = await openFilled(() => change());
  await store.countTrials('large', { by: ['status'] });
  expect(stored()).toEqual([]);
  change = () => {};
  await store.countTrials('large', { by: ['status'] });
  expect(stored()).toHaveLength(1);
  connection.exec("UPDATE trials SET status = 'completed' WHERE ordinal = 7");
  expect(stored()).toEqual([]);
  const run = await store.readRun('large');
  await store.countTrials('large', { by: ['status'] });
  connection.exec(`UPDATE stored_counts SET counts = '["stored"]'`);
  await store.updateRun({ ...run!, finishedAt: undefined, status: 'running' });
  expect(await store.countTrials('large', { by: ['status'] })).toHaveLength(1);
});
