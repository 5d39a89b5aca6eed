import { spawnSync } from 'node:child_process';
import { chmod, chown, copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { buildCase, buildRun } from '../../library/testing/build-records.ts';
import { createSqlStore } from '../sql/sql-store.ts';
import { claimRun, isClaimed } from './claim-run.ts';
import { explainFault } from './explain-fault.ts';
import { createSqliteDatabase } from './sqlite-database.ts';
import { createBlobFolder, openSqliteStore } from './sqlite.ts';

async function newFile(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-'));
  onTestFinished(async () => {
    await chmod(folder, 0o755);
    await rm(folder, { recursive: true, force: true });
  });
  return path.join(folder, 'touchstone.db');
}

/** Opens a store on a connection that the test can control, with the given pragmas. */
async function openUnder(pragmas: string) {
  const file = await newFile();
  await openSqliteStore(file).close();
  const raw = new DatabaseSync(file);
  raw.exec(pragmas);
  const store = createSqlStore(createSqliteDatabase(raw, file), {
    exists: async () => true,
    claimRun: async (runId) => claimRun(file, runId),
    isClaimed: async (runId) => isClaimed(file, runId),
    blobs: createBlobFolder(file),
  });
  return { file, raw, store };
}

function casesFrom(first: number, length: number) {
  return Array.from({ length }, (_, index) => {
    const position = first + index;
    // Random text, which cannot be compressed.
    const input = Array.from(crypto.getRandomValues(new Uint8Array(500)), String).join(' ');
    return { position, hash: '0'.repeat(32), place: `x:${position}`, case: buildCase({ input }) };
  });
}

test('on a full disk a write fails as a whole, stored records stay, and writing continues once there is room', async () => {
  const { raw, store, file } = await openUnder('PRAGMA max_page_count = 200');
  const run = buildRun();
  await store.createRun(run);
  let kept = 0;
  const fill = async () => {
    for (; kept < 10_000; kept += 100) await store.addCases(run.id, casesFrom(kept, 100));
  };
  await expect(fill()).rejects.toMatchObject({
    code: 'store-unreadable',
    message: expect.stringContaining(`${file} has no room left`),
    remedy: expect.stringContaining('Make room'),
  });
  expect(kept).toBeGreaterThan(0);
  expect(await Array.fromAsync(store.readCases(run.id))).toHaveLength(kept);
  raw.exec('PRAGMA max_page_count = 100000');
  await store.addCases(run.id, casesFrom(kept, 100));
  expect(await Array.fromAsync(store.readCases(run.id))).toHaveLength(kept + 100);
  await store.close();
});

test('writing to a store that another process has locked fails with its name after `lockWaitMs`; reading works meanwhile', async () => {
  const file = await newFile();
  const store = openSqliteStore(file, { lockWaitMs: 10 });
  const patient = openSqliteStore(file, { lockWaitMs: 100_000 });
  const run = buildRun();
  await store.createRun(run);
  const other = new DatabaseSync(file);
  other.exec('BEGIN IMMEDIATE');
  const waiting = patient.updateRun(run);
  await expect(store.updateRun(run)).rejects.toMatchObject({
    code: 'store-unreadable',
    message: expect.stringContaining('is locked by another process'),
    remedy: expect.stringContaining('Wait'),
  });
  expect(await store.readRun(run.id)).toEqual(run);
  other.exec('ROLLBACK');
  await waiting;
  await store.updateRun(run);
  other.close();
  await Promise.all([patient.close(), store.close()]);
});

test('a record that changed on the disk causes an error, and is never returned', async () => {
  const { raw, store } = await openUnder('PRAGMA busy_timeout = 10');
  const run = buildRun();
  await store.createRun(run);
  await store.addCases(run.id, casesFrom(0, 3));
  const changes = [
    `record = replace(record, 'tags', 'tabs')`,
    `category = 'other'`,
    'checksum = checksum + 1',
    'record = CAST(record AS BLOB)',
  ];
  for (const change of changes) {
    raw.exec(`SAVEPOINT before; UPDATE cases SET ${change} WHERE position = 1; RELEASE before`);
    const damaged = { code: 'store-damaged', message: expect.stringContaining('cases (run 1, position 1)') };
    await expect(Array.fromAsync(store.readCases(run.id))).rejects.toMatchObject(damaged);
    await expect(Array.fromAsync(store.readCaseNames(run.id))).rejects.toMatchObject(damaged);
    expect(await Array.fromAsync(store.readCases(run.id, [0, 2]))).toHaveLength(2);
    await store.addCases(run.id, casesFrom(1, 1));
  }
  await store.close();
});

const isRoot = process.getuid?.() === 0;
// Root may write everywhere. The process gives up its rights once its code is loaded, which others may not be allowed to read.
const dropRights = isRoot ? 'process.setgid(65534); process.setuid(65534);' : '';
const module = pathToFileURL(path.join(import.meta.dirname, 'sqlite.ts')).href;

/** Opens stores in a process that may not write to their folder. Returns a line for each: the ids of its runs, or the error. */
async function readInReadOnly(folder: string, names: readonly string[], work = ''): Promise<string[]> {
  for (const name of await readdir(folder)) await chmod(path.join(folder, name), 0o444);
  await chmod(folder, 0o555);
  const script = `
    const { openSqliteStore } = await import(${JSON.stringify(module)});
    const { utimesSync } = await import('node:fs');
    ${dropRights}
    for (const name of ${JSON.stringify(names)}) {
      try {
        const store = openSqliteStore(${JSON.stringify(folder)} + '/' + name);
        ${work}
        console.log((await store.listRuns()).map(({ id }) => id).join(' '));
      } catch ({ code, message, remedy }) {
        console.log(code, message, remedy);
      }
    }`;
  const args = ['--input-type=module', '-e', script];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.trim().split('\n');
}

test('a folder that cannot be written to is refused by name, with or without a store in it', async () => {
  const file = await newFile();
  await openSqliteStore(file).close();
  const names = ['touchstone.db', 'other.db', 'folder/other.db'];
  const create = "await store.createRun({ id: 'x', createdAt: '', targets: [] });";
  const lines = await readInReadOnly(path.dirname(file), names, create);
  expect(lines).toHaveLength(3);
  for (const line of lines)
    expect(line).toMatch(/^store-unreadable The store .*(touchstone|other)\.db cannot be/);
});

/** Copies a store into a new folder in three states: closed, killed with its log and index, and killed without the index. */
async function copyClosedAndKilled() {
  const [file, copy] = [await newFile(), await newFile()];
  const folder = path.dirname(copy);
  const store = openSqliteStore(file);
  await store.createRun(buildRun({ id: 'first' }));
  await store.close();
  await copyFile(file, path.join(folder, 'closed.db'));
  const killed = openSqliteStore(file);
  await killed.createRun(buildRun({ id: 'second' }));
  for (const end of ['', '-wal', '-shm'])
    await copyFile(`${file}${end}`, path.join(folder, `killed.db${end}`));
  for (const end of ['', '-wal']) await copyFile(`${file}${end}`, path.join(folder, `halved.db${end}`));
  await killed.close();
  return folder;
}

test('a read-only store can be read, including the log that a killed process has left', async () => {
  const folder = await copyClosedAndKilled();
  const [closed, killed, halved] = await readInReadOnly(folder, ['closed.db', 'killed.db', 'halved.db']);
  expect(closed).toBe('first');
  expect(killed?.split(' ').toSorted()).toEqual(['first', 'second']);
  // The newest writes are in a log that cannot be read here: an error is better than outdated records.
  expect(halved).toMatch(
    /^store-unreadable .*cannot be read: its last writes are in .*halved\.db-wal.* Copy the folder/,
  );
});

test('in a read-only folder a run cannot be claimed, and a leftover lock does not prevent reading', async () => {
  const folder = await copyClosedAndKilled();
  const claim = `await store.claimRun('first');`;
  await writeFile(path.join(folder, 'closed.db-first.lock'), '');
  expect(await readInReadOnly(folder, ['closed.db'])).toEqual(['first']);
  expect(await readInReadOnly(folder, ['closed.db'], claim)).toEqual([
    expect.stringMatching(/^store-unreadable .*closed\.db cannot be written to: .* Check who may write/),
  ]);
});

test('a store that another process writes to while it is read without locks is refused', async () => {
  const folder = await copyClosedAndKilled();
  if (isRoot) await chown(path.join(folder, 'closed.db'), 65_534, 65_534);
  const touch = `utimesSync(${JSON.stringify(path.join(folder, 'closed.db'))}, 1, 1);`;
  const [line] = await readInReadOnly(folder, ['closed.db'], touch);
  expect(line).toMatch(
    /^store-unreadable .*was written to by another process while it was read.* Run the same/,
  );
});

test('a read-only store with another layout is refused with both layouts', async () => {
  const folder = await copyClosedAndKilled();
  for (const layout of [0, 999]) {
    const database = new DatabaseSync(path.join(folder, 'closed.db'));
    database.exec(`PRAGMA user_version = ${layout}`);
    database.close();
    await copyFile(path.join(folder, 'closed.db'), path.join(folder, `layout-${layout}.db`));
  }
  const [older, newer] = await readInReadOnly(folder, ['layout-0.db', 'layout-999.db']);
  expect(older).toMatch(/^store-unreadable .*another program/);
  expect(newer).toMatch(/^store-version .*layout 999; this one knows \d.*Update Touchstone/);
});

test('a file that is not a store, and a path that is taken, are refused with a remedy', async () => {
  const file = await newFile();
  await writeFile(file, 'this is no database, and long enough to be taken for one'.repeat(20));
  expect(() => openSqliteStore(file)).toThrow(
    expect.objectContaining({ code: 'store-unreadable', remedy: expect.stringContaining('move it away') }),
  );
  const below = path.join(file, 'touchstone.db');
  for (const wrong of [path.dirname(file), below]) {
    expect(() => openSqliteStore(wrong)).toThrow(
      expect.objectContaining({
        code: 'store-unreadable',
        remedy: expect.stringContaining('Something else has its name'),
      }),
    );
  }
});

test('a write beyond the size limit of a file is refused with a remedy', () => {
  const fault = Object.assign(new Error('disk I/O error'), { errcode: 778 });
  expect(explainFault(fault, 'x.db')).toMatchObject({
    code: 'store-unreadable',
    message: 'The store x.db cannot be written to: disk I/O error.',
    remedy: expect.stringContaining('Make room'),
  });
});

test('only a new file is created with incremental vacuum', async () => {
  const file = await newFile();
  const vacuum = () => {
    using database = new DatabaseSync(file);
    return database.prepare('PRAGMA auto_vacuum').get();
  };
  const plain = new DatabaseSync(file);
  plain.exec('PRAGMA auto_vacuum = NONE; CREATE TABLE runs (number INTEGER); DROP TABLE runs');
  plain.close();
  await openSqliteStore(file).close();
  expect(vacuum()).toEqual({ auto_vacuum: 0 });
  await rm(file);
  await openSqliteStore(file).close();
  expect(vacuum()).toEqual({ auto_vacuum: 2 });
});

test('a run in a missing folder is reported as unreadable, not as in progress', async () => {
  const file = path.join(path.dirname(await newFile()), 'no', 'such', 'folder', 'touchstone.db');
  const { claimRun } = await import('./claim-run.ts');
  expect(() => claimRun(file, 'run')).toThrow(expect.objectContaining({ code: 'store-unreadable' }));
});
