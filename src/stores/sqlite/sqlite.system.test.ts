import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { crc32 } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { recordEvent, verifyChain } from '../../privacy/accounts/audit.ts';
import { buildCase, buildRun, buildTrial } from '../../library/testing/build-records.ts';
import { testRemovedElsewhere } from '../../../test/support/store-contract/removed-elsewhere.ts';
import { testStoreContract } from '../../../test/support/store-contract/store-contract.ts';
import { openSqliteStore } from './sqlite.ts';
import { baselineKind } from '../kinds/baseline.ts';
import { putDocuments } from '../documents/document-store.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-'));
let files = 0;
const newFile = () => path.join(folder, `${(files += 1)}`, 'touchstone.db');
afterAll(() => rm(folder, { recursive: true, force: true }));

testStoreContract(
  'sqlite',
  async () => openSqliteStore(newFile()),
  { test, expect },
  async (store) => {
    await store.close();
    return openSqliteStore(store.address);
  },
);

testRemovedElsewhere(
  'sqlite',
  async () => {
    const file = newFile();
    return [openSqliteStore(file), openSqliteStore(file)];
  },
  { test, expect },
);

test('the version of a store changes when another connection writes', async () => {
  const file = newFile();
  const [one, other] = [openSqliteStore(file), openSqliteStore(file)];
  const before = await one.readVersion();
  expect(await one.readVersion()).toBe(before);
  await other.createRun(buildRun());
  expect(await one.readVersion()).not.toBe(before);
  await one.close();
  await other.close();
});

test('a run can be read after the file is opened again', async () => {
  const file = newFile();
  const first = openSqliteStore(file);
  const run = buildRun();
  await first.createRun(run);
  await first.close();
  const second = openSqliteStore(file);
  expect(await second.readRun(run.id)).toEqual(run);
  await second.close();
});

test('two stores on one file see the records of each other', async () => {
  const file = newFile();
  const [a, b] = [openSqliteStore(file), openSqliteStore(file)];
  const run = buildRun();
  await a.createRun(run);
  await b.addCases(run.id, [{ position: 0, hash: '0'.repeat(32), place: 'x:1', case: buildCase() }]);
  await a.addTrials(run.id, [{ case: buildCase(), trial: buildTrial('yes') }]);
  expect((await Array.fromAsync(b.readResults(run.id))).map(({ trial }) => trial.answer)).toEqual(['yes']);
  await Promise.all([a.close(), b.close()]);
});

test('writes in the same turn share one transaction; one that fails does not affect the others', async () => {
  const file = newFile();
  const store = openSqliteStore(file);
  const run = buildRun({ attempts: 3 });
  await store.createRun(run);
  await store.addCases(run.id, [{ position: 0, hash: '0'.repeat(32), place: 'x:1', case: buildCase() }]);
  using database = new DatabaseSync(file);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const countCommits = () => readCommits(`${file}-wal`);
  const add = async (ordinal: number, runId = run.id) =>
    await store.addTrials(runId, [{ case: buildCase(), trial: buildTrial('yes', { ordinal }) }]);
  await Promise.all([add(0), add(1)]);
  expect(countCommits()).toBe(1);
  const read = Array.fromAsync(store.readResults(run.id));
  const added = await Promise.allSettled([add(0), add(2, 'nothing'), add(2)]);
  expect(added.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((await read).length).toBeLessThanOrEqual(3);
  expect(await Array.fromAsync(store.readResults(run.id))).toHaveLength(3);
  await store.close();
});

/** Counts the transactions in a write-ahead log: the last frame of each has the size of the database in its header. */
function readCommits(log: string): number {
  const bytes = readFileSync(log);
  const frameBytes = 24 + bytes.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at < bytes.length; at += frameBytes) commits += Number(bytes.readUInt32BE(at + 4) > 0);
  return commits;
}

test('processes that create the same store at the same moment all succeed', async () => {
  const file = newFile();
  const module = pathToFileURL(path.join(import.meta.dirname, 'sqlite.ts')).href;
  const script = `
    const { openSqliteStore } = await import(${JSON.stringify(module)});
    const [id, file] = process.argv.slice(1);
    const store = openSqliteStore(file);
    const dataset = { sources: [], cases: 0, hash: '' };
    await store.createRun({ id, status: 'running', createdAt: '', dataset, targets: [], metrics: [], attempts: 1 });
    await store.close();`;
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const children = ids.map((id) => {
    const words = ['--input-type=module', '-e', script, id, file];
    return spawn(process.execPath, words, { stdio: ['ignore', 'inherit', 'inherit'] });
  });
  const ended = await Promise.all(children.map((child) => once(child, 'close')));
  expect(ended.map(([code]) => code)).toEqual(ids.map(() => 0));
  const store = openSqliteStore(file);
  expect((await store.listRuns()).map(({ id }) => id).sort()).toEqual(ids);
  await store.close();
});

test('a store with durability `power` keeps its records', async () => {
  const store = openSqliteStore(newFile(), { durability: 'power' });
  await store.createRun(buildRun());
  expect(await store.readRun(buildRun().id)).toEqual(buildRun());
  await store.close();
});

test('a run that was deleted and created again with the same id is the new one, even for a store that used the old one', async () => {
  const file = newFile();
  const [a, b] = [openSqliteStore(file), openSqliteStore(file)];
  const run = buildRun();
  const planned = { position: 0, hash: '0'.repeat(32), place: 'x:1', case: buildCase() };
  await a.createRun(run);
  await a.addCases(run.id, [planned]);
  await b.deleteRun(run.id);
  await b.createRun(run);
  expect(await Array.fromAsync(a.readCases(run.id))).toEqual([]);
  await b.addCases(run.id, [planned]);
  expect(await Array.fromAsync(a.readCases(run.id))).toEqual([planned]);
  await Promise.all([a.close(), b.close()]);
});

test('a deleted run leaves no rows in the file', async () => {
  const file = newFile();
  const store = openSqliteStore(file);
  const run = buildRun();
  await store.createRun(run);
  await store.addCases(run.id, [{ position: 0, hash: '0'.repeat(32), place: 'x:1', case: buildCase() }]);
  const scorecard = { total: 1, lower: 1, upper: 1, grade: 'A', passed: true, explanation: '' };
  const result = {
    case: buildCase(),
    trial: buildTrial('yes'),
    verdicts: { keywords: { status: 'scored', value: 1 } },
    scorecard,
  } as const;
  await store.addTrials(run.id, [result]);
  await store.addScores(run.id, [result]);
  const rows = () =>
    tables.map((table) => new DatabaseSync(file).prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']);
  const tables = ['runs', 'cases', 'trials', 'scores'];
  expect(rows()).toEqual([1, 1, 1, 1]);
  await store.deleteRun(run.id);
  expect(rows()).toEqual([0, 0, 0, 0]);
  await store.close();
});

test('a plain answer is stored once, not again in its transcript', async () => {
  const file = newFile();
  const store = openSqliteStore(file);
  const run = buildRun();
  await store.createRun(run);
  await store.addCases(run.id, [{ position: 0, hash: '0'.repeat(32), place: 'x:1', case: buildCase() }]);
  await store.addTrials(run.id, [{ case: buildCase(), trial: buildTrial('unmistakable') }]);
  using database = new DatabaseSync(file);
  const kept = database.prepare('SELECT record FROM trials').get()?.['record'];
  expect(String(kept).split('unmistakable')).toHaveLength(2);
  await store.close();
});

test('a long record is compressed, and one whose checksum is that of its bytes is read', async () => {
  const file = newFile();
  const store = openSqliteStore(file);
  const run = buildRun({ description: 'läuft '.repeat(2000) });
  await store.createRun(run);
  using raw = new DatabaseSync(file);
  const { checksum: _, record, ...columns } = { ...raw.prepare('SELECT * FROM runs').get() };
  expect(record).toBeInstanceOf(Uint8Array);
  const sum = crc32(record as Uint8Array, crc32(JSON.stringify(Object.values(columns))));
  expect(raw.prepare('UPDATE runs SET checksum = ? WHERE checksum <> ?').run(sum, sum).changes).toBe(1);
  expect(await store.readRun(run.id)).toEqual(run);
  raw.exec('UPDATE runs SET checksum = checksum + 1');
  await expect(store.readRun(run.id)).rejects.toMatchObject({ code: 'store-damaged' });
  await store.close();
});

test('a file that is not a database is refused', async () => {
  const file = path.join(folder, 'not-a-database.db');
  await writeFile(file, 'this is a text file, long enough not to pass for an empty database\n'.repeat(50));
  expect(() => openSqliteStore(file)).toThrow(expect.objectContaining({ code: 'store-unreadable' }));
});

test('a database from a newer Touchstone is refused and not changed', async () => {
  const file = newFile();
  await openSqliteStore(file).close();
  const database = new DatabaseSync(file);
  database.exec('PRAGMA user_version = 999');
  expect(() => openSqliteStore(file)).toThrow(expect.objectContaining({ code: 'store-version' }));
  expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 999 });
});

test('a folder that cannot be created is refused', async () => {
  const file = path.join(folder, 'plain-file');
  await writeFile(file, '');
  expect(() => openSqliteStore(path.join(file, 'touchstone.db'))).toThrow(
    expect.objectContaining({ code: 'store-unreadable' }),
  );
});

test('a folder created for a store is ignored by git; an existing folder is not changed', async () => {
  const made = path.join(folder, 'made', '.touchstone');
  await openSqliteStore(path.join(made, 'runs.db')).close();
  expect(readFileSync(path.join(made, '.gitignore'), 'utf8')).toBe('*\n');
  const own = path.join(folder, 'own');
  mkdirSync(own);
  await openSqliteStore(path.join(own, 'runs.db')).close();
  expect(readdirSync(own)).not.toContain('.gitignore');
});

test('a baseline that has changed in the file is refused when read and found by the check', async () => {
  const file = newFile();
  const store = openSqliteStore(file);
  const { id, createdAt, touchstoneVersion, attempts } = buildRun();
  await putDocuments(store.documents, baselineKind, [
    {
      touchstoneBaseline: 1,
      name: 'main',
      run: { id, createdAt, touchstoneVersion, attempts },
      scorecard: null,
      metrics: [],
      targets: [],
    },
  ]);
  expect(await Array.fromAsync(store.check())).toEqual([]);
  using raw = new DatabaseSync(file);
  raw.exec("UPDATE baselines SET run_id = 'another'");
  await expect(store.documents.get(baselineKind, ['main'])).rejects.toMatchObject({ code: 'store-damaged' });
  expect(await Array.fromAsync(store.check())).toEqual([
    { what: 'a row of the table baselines has changed since it was written: name main' },
  ]);
  await store.close();
});

test('a store no longer exists once its file was removed', async () => {
  const file = newFile();
  const store = openSqliteStore(path.relative(process.cwd(), file));
  expect([store.address, await store.exists()]).toEqual([file, true]);
  rmSync(path.dirname(file), { recursive: true });
  expect(await store.exists()).toBe(false);
  await store.close();
});

test('entries of the audit log are neither changed nor removed in the file', async () => {
  const file = newFile();
  const store = openSqliteStore(file);
  const event = { who: 'ann', address: null, action: 'test', project: 'main', object: null };
  const entry = await recordEvent(store.accounts, event);
  using raw = new DatabaseSync(file);
  for (const change of ["UPDATE audit SET entry = ''", 'DELETE FROM audit'])
    expect(() => raw.exec(change)).toThrow('entries of the audit log are never changed');
  expect(await store.accounts.readEntries(0)).toEqual([entry]);
  expect(await verifyChain(store.accounts)).toEqual({ entries: 1, head: entry.hash });
  await store.close();
});
