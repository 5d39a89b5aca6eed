import { expect, test } from 'vitest';
import {
  describeWithPostgres,
  emptySchema,
  newSchema,
  sharedServer,
} from '../../../test/support/postgres-server.ts';
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
});
