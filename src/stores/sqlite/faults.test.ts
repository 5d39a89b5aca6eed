import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { buildCase, buildRun } from '../../testing/build-records.ts';
import { createDatabase } from './database.ts';
import { openSqliteStore } from './sqlite.ts';
import { storeOn } from './store-on.ts';

async function newFile(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-'));
  onTestFinished(async () => {
    await chmod(folder, 0o755);
    await rm(folder, { recursive: true, force: true });
  });
  return path.join(folder, 'touchstone.db');
}

/** A store on a connection of the test's own, for it to be put under conditions. */
async function openUnder(pragmas: string) {
  const file = await newFile();
  await openSqliteStore(file).close();
  const raw = new DatabaseSync(file);
  raw.exec(pragmas);
  return { file, raw, store: storeOn(createDatabase(raw, file), file) };
}

function casesFrom(first: number, length: number) {
  return Array.from({ length }, (_, index) => {
    const position = first + index;
    // Random text, which cannot be compressed.
    const input = Array.from(crypto.getRandomValues(new Uint8Array(500)), String).join(' ');
    return { position, hash: '0'.repeat(32), place: `x:${position}`, case: buildCase({ input }) };
  });
}

test('on a full disk a write is refused as a whole, what was kept is there, and goes on when there is room', async () => {
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

test('a store that another process holds is refused by name, and can be read meanwhile', async () => {
  const { file, store } = await openUnder('PRAGMA busy_timeout = 10');
  const run = buildRun();
  await store.createRun(run);
  const other = new DatabaseSync(file);
  other.exec('BEGIN IMMEDIATE');
  await expect(store.updateRun(run)).rejects.toMatchObject({
    code: 'store-unreadable',
    message: expect.stringContaining('is held by another process'),
    remedy: expect.stringContaining('Wait'),
  });
  expect(await store.readRun(run.id)).toEqual(run);
  other.exec('ROLLBACK');
  await store.updateRun(run);
  other.close();
  await store.close();
});

test('what the disk has changed is an error, and no other text', async () => {
  const { raw, store } = await openUnder('PRAGMA busy_timeout = 10');
  const run = buildRun();
  await store.createRun(run);
  await store.addCases(run.id, casesFrom(0, 40));
  const body = raw.prepare('SELECT body FROM cases').get()?.['body'] as Uint8Array;
  const middle = body.length >> 1;
  body[middle] = (body[middle] as number) ^ 1;
  raw.prepare('UPDATE cases SET body = ?').run(body);
  await expect(Array.fromAsync(store.readCases(run.id))).rejects.toMatchObject({ code: 'store-unreadable' });
  await store.close();
});

const isRoot = process.getuid?.() === 0;

test('a folder that cannot be written to is refused by name, before and after the store is there', async () => {
  const file = await newFile();
  const folder = path.dirname(file);
  await openSqliteStore(file).close();
  await chmod(folder, 0o555);
  await chmod(file, 0o444);
  const module = pathToFileURL(path.join(import.meta.dirname, 'sqlite.ts')).href;
  const script = `
    const { openSqliteStore } = await import(${JSON.stringify(module)});
    for (const name of ['touchstone.db', 'other.db', 'folder/other.db']) {
      try {
        const store = openSqliteStore(${JSON.stringify(folder)} + '/' + name);
        await store.createRun({ id: 'x', createdAt: '', targets: [] });
        console.log('opened');
      } catch ({ code, message }) {
        console.log(code, message);
      }
    }`;
  // Whom the system lets write everywhere does this as nobody.
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    ...(isRoot && { uid: 65_534, gid: 65_534 }),
  });
  expect(stderr).toBe('');
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(3);
  for (const line of lines)
    expect(line).toMatch(/^store-unreadable The store .*(touchstone|other)\.db cannot be/);
});

test('a run in a folder that cannot be written to is not taken for one in progress', async () => {
  const file = path.join(path.dirname(await newFile()), 'no', 'such', 'folder', 'touchstone.db');
  const { claimRun } = await import('./claim-run.ts');
  expect(() => claimRun(file, 'run')).toThrow(expect.objectContaining({ code: 'store-unreadable' }));
});
