import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { buildCertificate } from '../../../test/support/store-contract/certificates-contract.ts';
import { buildLabel } from '../../../test/support/build-labels.ts';
import { buildRun } from '../../library/testing/build-records.ts';
import { firstLayout, migrate, migrations } from './migrations.ts';
import { openSqliteStore } from './sqlite.ts';
import { addReviewRecords } from '../reviews/review-records.ts';
import { labelKind } from '../kinds/label.ts';
import { certificateKind } from '../kinds/certificate.ts';
import { addDocument } from '../documents/document-store.ts';

async function newFile(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return path.join(folder, 'touchstone.db');
}

async function fileOf(sql: string): Promise<string> {
  const file = await newFile();
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
  return file;
}

test('a database of Touchstone 0.1.0 is refused with a remedy and not changed', async () => {
  const file = await fileOf(
    'CREATE TABLE runs (number INTEGER PRIMARY KEY, id TEXT); PRAGMA user_version = 4',
  );
  expect(() => openSqliteStore(file)).toThrow(
    expect.objectContaining({
      code: 'store-version',
      message: expect.stringMatching(/0\.1\.0 or earlier \(layout 4; this one reads 6 and newer\)/),
      remedy: expect.stringContaining('Export its runs with Touchstone 0.1.0'),
    }),
  );
  using database = new DatabaseSync(file);
  expect(database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()).toEqual({ tables: 1 });
});

test('a database of a layout that was never released is refused with a remedy', async () => {
  const file = await fileOf('CREATE TABLE runs (number INTEGER PRIMARY KEY); PRAGMA user_version = 5');
  expect(() => openSqliteStore(file)).toThrow(
    expect.objectContaining({
      code: 'store-version',
      message: expect.stringContaining('an unreleased Touchstone (layout 5; this one reads 6 and newer)'),
      remedy: expect.stringContaining('Export its runs with the version that wrote it'),
    }),
  );
});

test('the database of another program is refused and not changed', async () => {
  const file = await fileOf('CREATE TABLE notes (text TEXT)');
  expect(() => openSqliteStore(file)).toThrow(
    expect.objectContaining({
      code: 'store-unreadable',
      message: expect.stringContaining('another program'),
    }),
  );
  const tables = new DatabaseSync(file).prepare('SELECT name FROM sqlite_schema').all();
  expect(tables).toEqual([{ name: 'notes' }]);
});

test('a database that lacks a table causes a store error, not a crash', async () => {
  const file = await newFile();
  await openSqliteStore(file).close();
  const database = new DatabaseSync(file);
  database.exec('DROP TABLE questions');
  database.close();
  const store = openSqliteStore(file);
  await store.createRun(buildRun());
  await expect(store.takeQuestions(buildRun().id, ['0'])).rejects.toMatchObject({
    code: 'store-unreadable',
    message: expect.stringContaining('no such table: questions'),
  });
  await store.close();
});

test('a migration runs once and keeps the records', async () => {
  const file = await newFile();
  const store = openSqliteStore(file);
  await store.createRun(buildRun());
  await store.close();
  const database = new DatabaseSync(file);
  const steps = [...migrations, 'CREATE TABLE added (number INTEGER) STRICT'];
  migrate(database, file, steps);
  migrate(database, file, steps);
  expect(database.prepare('SELECT count(*) AS runs FROM runs').get()).toEqual({ runs: 1 });
  expect(() => openSqliteStore(file)).toThrow(expect.objectContaining({ code: 'store-version' }));
  database.close();
});

test('a store from before labels is upgraded with its runs, and then takes labels', async () => {
  const file = await newFile();
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL');
  migrate(database, file, migrations.slice(0, 1));
  database.close();
  const before = new DatabaseSync(file);
  expect(before.prepare('PRAGMA user_version').get()).toEqual({ user_version: 6 });
  const row = [1, 'old', '2026-01-02', 1, 1, 'completed', '2026-01-02', '{}', '{"id":"old"}'];
  before
    .prepare(
      `INSERT INTO runs (number, id, listed_at, trials_of, trials_per_case, status, created_at, head, record, checksum)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
    )
    .run(...row);
  before.close();
  const store = openSqliteStore(file);
  await addReviewRecords(store.documents, { labels: [buildLabel('l1')] });
  expect(await store.documents.count(labelKind)).toBe(1);
  await store.close();
  using after = new DatabaseSync(file);
  expect(after.prepare('PRAGMA user_version').get()).toEqual({
    user_version: firstLayout + migrations.length - 1,
  });
  expect(after.prepare('SELECT id, record FROM runs').get()).toEqual({ id: 'old', record: '{"id":"old"}' });
});

test('a store from before certificates is upgraded with its labels, and then keeps certificates', async () => {
  const file = await newFile();
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL');
  migrate(database, file, migrations.slice(0, 3));
  expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 8 });
  database.close();
  const store = openSqliteStore(file);
  await addReviewRecords(store.documents, { labels: [buildLabel('l1')] });
  await addDocument(store.documents, certificateKind, buildCertificate());
  expect(await Array.fromAsync(store.documents.list(certificateKind))).toEqual([buildCertificate()]);
  await store.close();
  const sql = "DROP TRIGGER certificates_removed; DELETE FROM certificates WHERE judge = 'gpt-5-mini'";
  const broken = new DatabaseSync(file);
  broken.exec(sql);
  broken.close();
  const again = openSqliteStore(file);
  await expect(Array.fromAsync(again.documents.list(certificateKind))).rejects.toMatchObject({
    code: 'store-damaged',
  });
  expect((await Array.fromAsync(again.check())).map(({ what }) => what)).toEqual([
    'the table certificates has 0 of 1 rows',
  ]);
  await again.close();
});

test('a migration that fails leaves the old layout', async () => {
  const file = await newFile();
  const database = new DatabaseSync(file);
  migrate(database, file);
  const steps = [...migrations, 'CREATE TABLE added (number INTEGER) STRICT; nonsense'];
  expect(() => migrate(database, file, steps)).toThrow('nonsense');
  expect(database.prepare("SELECT name FROM sqlite_schema WHERE name = 'added'").get()).toBeUndefined();
  database.close();
  await openSqliteStore(file).close();
});

test('a process that is killed during a migration leaves the old layout', async () => {
  const file = await newFile();
  await openSqliteStore(file).close();
  const script = `
    import { DatabaseSync } from 'node:sqlite';
    import { migrate, migrations } from ${JSON.stringify(urlOf('migrations.ts'))};
    const step = \`CREATE TABLE added (number INTEGER, text TEXT) STRICT;
      INSERT INTO added WITH RECURSIVE rows(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM rows)
      SELECT number, hex(randomblob(500)) FROM rows LIMIT 100000000\`;
    const database = new DatabaseSync(process.argv[1]);
    database.exec('PRAGMA cache_size = 10');
    console.log('begins');
    migrate(database, process.argv[1], [...migrations, step]);`;
  for (const afterMs of [1, 20, 100]) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await wait(afterMs);
    child.kill('SIGKILL');
    await once(child, 'close');
    const store = openSqliteStore(file);
    const run = buildRun({ id: `after ${afterMs}` });
    await store.createRun(run);
    expect(await store.readRun(run.id)).toEqual(run);
    await store.close();
  }
});

function urlOf(name: string): string {
  return pathToFileURL(path.join(import.meta.dirname, name)).href;
}
