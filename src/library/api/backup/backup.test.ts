import { hash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readAudit, verifyChain } from '../../../privacy/accounts/audit.ts';
import { listPeople } from '../../../privacy/accounts/accounts.ts';
import { addPerson, addToken } from '../../../privacy/accounts/manage.ts';
import { listTokens } from '../../../privacy/accounts/tokens.ts';
import { openSqliteStore, sqliteFileIn } from '../../../stores/sqlite/sqlite.ts';
import { readRuns, type Store } from '../../../stores/store.ts';
import { fillWithText } from '../../../../test/support/store-contract/texts-contract.ts';
import { run } from '../../../../test/support/store-contract/store-records.ts';
import { kinds } from '../../../stores/kinds/kinds.ts';
import { buildRun } from '../../testing/build-records.ts';
import { exportRun } from '../archive.ts';
import { backUp } from './back-up.ts';
import { restore } from './restore.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'touchstone-backup-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (...names: string[]) => path.join(folder, ...names);

/** Uses the store in a folder, which is closed afterwards. */
async function using<Result>(name: string, use: (store: Store) => Promise<Result>): Promise<Result> {
  const store = openSqliteStore(sqliteFileIn(at(name)));
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Fills a server's store and the store of its project, with attachments, people, a token and an audit log. */
async function fillServer(): Promise<void> {
  await using('home', async (store) => {
    await fillWithText(store, 'Ann Lee');
    const bytes = Buffer.from('a picture');
    await store.blobs.keep(run.id, [{ hash: hash('sha256', bytes), read: async () => bytes }]);
    const actor = { who: 'test', address: null, project: 'main' };
    await addPerson(store.accounts, actor, { name: 'ann', role: 'admin' });
    await addToken(store.accounts, actor, { name: 'ci', scopes: ['run'], days: 9 });
  });
  await using('home/projects/shop', async (store) => await fillWithText(store, 'Bob Ray'));
}

/** Returns everything that can be exported of a store, in the bytes of the exports. */
async function everything(name: string): Promise<string> {
  return await using(name, async (store) => {
    const lines: unknown[] = [];
    for await (const { id } of readRuns(store))
      lines.push(id, (await Array.fromAsync(exportRun(id, { store }))).join(''));
    for (const kind of kinds) lines.push(await Array.fromAsync(store.documents.list(kind)));
    lines.push(await listPeople(store.accounts, 'main'), await listTokens(store.accounts, 'main'));
    lines.push(await Array.fromAsync(readAudit(store.accounts)), await verifyChain(store.accounts));
    return JSON.stringify(lines);
  });
}

test('a restored backup gives every export of every project, the people, the tokens and the audit log byte for byte', async () => {
  await fillServer();
  const made = await backUp(at('home'), at('evals.backup'));
  expect(made).toMatchObject({ projects: ['main', 'shop'], attachments: 1 });
  expect(statSync(at('evals.backup')).mode & 0o777).toBe(0o600);
  const restored = await restore(at('evals.backup'), at('again'));
  expect(restored).toMatchObject({ projects: ['main', 'shop'], runs: 2, faults: [] });
  expect(await everything('again')).toBe(await everything('home'));
  expect(await everything('again/projects/shop')).toBe(await everything('home/projects/shop'));
  const namesIn = (name: string) =>
    readdirSync(at(name), { recursive: true, encoding: 'utf8' }).filter(
      (each) => !each.endsWith('.gitignore'),
    );
  expect(namesIn('again').sort()).toEqual(namesIn('home').sort());
  expect(readdirSync(folder).sort()).toEqual(['again', 'evals.backup', 'home']);
});

test('a backup that is made while runs are written has each run as it was at one moment', async () => {
  await fillServer();
  const ended = new AbortController();
  const writing = using('home', async (store) => {
    for (let count = 0; !ended.signal.aborted; count += 1) {
      await store.createRun(buildRun({ id: `20260103-030405-${String(count).padStart(4, '0')}` }));
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  await backUp(at('home'), at('evals.backup'));
  ended.abort();
  await writing;
  expect(await restore(at('evals.backup'), at('again'))).toMatchObject({ faults: [] });
});

test('a restore replaces no store, and a backup no file', async () => {
  await fillServer();
  await backUp(at('home'), at('evals.backup'));
  await expect(restore(at('evals.backup'), at('home'))).rejects.toThrow('has a store already');
  await expect(backUp(at('home'), at('evals.backup'))).rejects.toThrow('there is a file of that name');
});

test.each([
  ['a byte of a part', "UPDATE parts SET content = zeroblob(length(content)) WHERE name = 'touchstone.db'"],
  ['a part', 'DELETE FROM parts'],
  ['the hash', "UPDATE files SET sha256 = 'x'"],
  ['a name that leads out of the folder', "UPDATE files SET name = '../x' WHERE name = 'touchstone.db'"],
])('of a backup in which %s was changed nothing is restored', async (_what, sql) => {
  await fillServer();
  await backUp(at('home'), at('evals.backup'));
  const database = new DatabaseSync(at('evals.backup'));
  database.exec(sql);
  database.close();
  await expect(restore(at('evals.backup'), at('again'))).rejects.toMatchObject({ code: 'import-invalid' });
  expect(readdirSync(at('again'))).toEqual(['.gitignore']);
});
