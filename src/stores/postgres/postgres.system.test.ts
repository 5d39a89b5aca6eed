import pg from 'pg';
import { expect, test } from 'vitest';
import {
  describeWithPostgres,
  emptySchema,
  newSchema,
  sharedServer,
} from '../../../test/support/postgres-server.ts';
import { recordEvent } from '../../accounts/audit.ts';
import { testStoreContract } from '../../testing/store-contract.ts';
import { openPostgresStore } from './postgres.ts';

describeWithPostgres('a store in PostgreSQL', () => {
  const schema = newSchema();
  const open = async () => openPostgresStore(await sharedServer(), { schema });

  testStoreContract(
    'postgres',
    async () => {
      await emptySchema(await sharedServer(), schema);
      return await open();
    },
    { test, expect },
    async (store) => {
      await store.close();
      return await open();
    },
  );

  test('entries of the audit log are not changed, removed or emptied, not even by the owner of the table', async () => {
    await emptySchema(await sharedServer(), schema);
    const store = await open();
    await recordEvent(store.accounts, event);
    const client = new pg.Client({ connectionString: await sharedServer() });
    await client.connect();
    try {
      for (const change of [
        `UPDATE ${schema}.audit SET entry = ''`,
        `DELETE FROM ${schema}.audit`,
        `TRUNCATE ${schema}.audit`,
      ])
        await expect(client.query(change)).rejects.toThrow('entries of the audit log are never changed');
    } finally {
      await client.end();
      await store.close();
    }
  });
});

const event = { who: 'ann', address: null, action: 'test', project: 'main', object: null };
