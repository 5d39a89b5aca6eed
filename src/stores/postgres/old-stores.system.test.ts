import { expect, onTestFinished, test } from 'vitest';
import { readOldFile, readRecords } from '../../../test/support/old-stores/read-records.ts';
import {
  createDatabase,
  describeWithPostgres,
  runSql,
  sharedServer,
} from '../../../test/support/postgres-server.ts';
import { feedbackKind } from '../kinds/feedback.ts';
import { openPostgresStore } from './postgres.ts';

const schema = 'old';

/** Writes the old store to a database of its own, after some further statements. Returns its address. */
async function writeOld(further = ''): Promise<string> {
  const address = await createDatabase(await sharedServer());
  await runSql(address, readOldFile('postgres-layout-8.sql'));
  await runSql(address, `SET search_path TO ${schema}; ${further}`);
  return address;
}

/** Returns the columns, indexes and triggers of all tables of a schema. */
async function layoutOf(address: string, name: string): Promise<unknown[]> {
  const columns = `SELECT table_name, column_name, data_type, is_nullable, collation_name FROM information_schema.columns
    WHERE table_schema = '${name}' ORDER BY table_name, column_name`;
  const indexes = `SELECT tablename, replace(regexp_replace(indexdef, '^.* USING ', ''), '${name}.', '') AS definition
    FROM pg_indexes WHERE schemaname = '${name}' ORDER BY 1, 2`;
  const triggers = `SELECT event_object_table, trigger_name FROM information_schema.triggers
    WHERE trigger_schema = '${name}' ORDER BY 1, 2`;
  const functions = `SELECT routine_name FROM information_schema.routines WHERE routine_schema = '${name}' ORDER BY 1`;
  return await Promise.all(
    [columns, indexes, triggers, functions].map(async (sql) => await runSql(address, sql)),
  );
}

describeWithPostgres('a store of an earlier layout in PostgreSQL', () => {
  test('is opened with all of its records, and has the layout of a new one', async () => {
    const address = await writeOld();
    const store = openPostgresStore(address, { schema });
    onTestFinished(async () => await store.close());
    expect(await readRecords(store)).toEqual(JSON.parse(readOldFile('records.json')));
    expect(await Array.fromAsync(store.check())).toEqual([]);
    const fresh = openPostgresStore(address, { schema: 'fresh' });
    await fresh.listRuns();
    await fresh.close();
    expect(await layoutOf(address, schema)).toEqual(await layoutOf(address, 'fresh'));
  });

  test('what was damaged before stays damaged, and what was lost is still missed', async () => {
    const address = await writeOld(`
      UPDATE feedback SET signal = 'copied' WHERE id = 'f2';
      UPDATE proposal_decisions SET person = 'Eve' WHERE proposal = 'p5';
      DROP TRIGGER labels_removed ON labels; DELETE FROM labels WHERE id = 'l3';
      DROP TRIGGER proposal_exports_removed ON proposal_exports; DELETE FROM proposal_exports;`);
    const store = openPostgresStore(address, { schema });
    onTestFinished(async () => await store.close());
    expect((await Array.fromAsync(store.check())).map(({ what }) => what)).toEqual([
      'a row of the table feedback has changed since it was written: id f2',
      'a row of the table proposals has changed since it was written: id p5',
      'the table labels (task task-1) has 2 of 3 rows',
      'the table proposals has 5 of 6 rows',
    ]);
    await expect(store.documents.get(feedbackKind, ['f2'])).rejects.toMatchObject({ code: 'store-damaged' });
  });

  test('several processes that open it at once upgrade it once; one that is cut off leaves it as it was', async () => {
    const address = await writeOld();
    await runSql(address, `ALTER TABLE ${schema}.erased_traces RENAME COLUMN erased_at TO unknown`);
    const cut = openPostgresStore(address, { schema });
    await expect(cut.listRuns()).rejects.toMatchObject({ code: 'store-unreadable' });
    await cut.close();
    expect(await runSql(address, `SELECT number FROM ${schema}.layout`)).toEqual([{ number: '8' }]);
    await runSql(address, `ALTER TABLE ${schema}.erased_traces RENAME COLUMN unknown TO erased_at`);
    const stores = Array.from({ length: 3 }, () => openPostgresStore(address, { schema }));
    onTestFinished(async () => void (await Promise.all(stores.map(async (store) => await store.close()))));
    const all = await Promise.all(stores.map(readRecords));
    for (const each of all) expect(each).toEqual(JSON.parse(readOldFile('records.json')));
  });
});
