import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import {
  describeWithPostgres,
  emptySchema,
  newSchema,
  sharedServer,
} from '../../../test/support/postgres-server.ts';
import { openPostgresStore } from '../../stores/postgres/postgres.ts';
import { openSqliteStore } from '../../stores/sqlite/sqlite.ts';
import { run } from '../../../test/support/store-contract/store-records.ts';
import { fillWithText } from '../../../test/support/store-contract/texts-contract.ts';
import { planErasure } from './erase-texts.ts';

const secret = 'Zebulon Quixley';
const choice = { texts: [secret] };

async function newFile(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return path.join(folder, 'touchstone.db');
}

/** Returns all bytes of the files of a database as text, with what compressed records in them contain. */
function bytesOf(file: string): string {
  const files = [file, `${file}-wal`, `${file}-journal`].filter((each) => existsSync(each));
  return files
    .flatMap((each) => {
      const bytes = readFileSync(each);
      const found = [bytes.toString('latin1')];
      const start = Buffer.from('28b52ffd', 'hex');
      for (let at = bytes.indexOf(start); at >= 0; at = bytes.indexOf(start, at + 1))
        found.push(inflate(bytes.subarray(at)));
      return found;
    })
    .join('\n');
}

/** A record that goes on in another page cannot be read as one piece; its beginning can. */
function inflate(bytes: Buffer): string {
  for (const length of [bytes.length, 4000, 2000, 1000, 500, 200]) {
    try {
      return zstdDecompressSync(bytes.subarray(0, length)).toString();
    } catch {
      continue;
    }
  }
  return '';
}

test('no byte of a SQLite file, of its log and of its compressed records holds an erased text', async () => {
  const file = await newFile();
  const store = openSqliteStore(file);
  // Another process has the store open, as a server does.
  const other = openSqliteStore(file);
  await fillWithText(store, secret);
  expect(await other.readRun(run.id)).toBeDefined();
  // Rows that were replaced or deleted before stay in free pages.
  const kept = await store.readRun(run.id);
  await store.createRun({ ...run, id: 'gone', description: secret.repeat(500) });
  await store.deleteRun('gone');
  expect(bytesOf(file)).toContain(secret);
  await (await planErasure(store, choice)).erase();
  expect(bytesOf(file)).not.toContain(secret);
  expect(await Array.fromAsync(store.check())).toEqual([]);
  expect(await other.readRun(run.id)).not.toEqual(kept);
  await store.close();
  await other.close();
  expect(bytesOf(file)).not.toContain(secret);
});

/** Erases in a process that kills itself, the way a crash does, after the first changes of a kind of records. */
async function eraseAndDie(file: string, moment: string): Promise<NodeJS.Signals | null> {
  const urlOf = (name: string) => JSON.stringify(pathToFileURL(path.join(import.meta.dirname, name)).href);
  const script = `
    import { openSqliteStore } from ${urlOf('../../stores/sqlite/sqlite.ts')};
    import { planErasure } from ${urlOf('erase-texts.ts')};
    const store = openSqliteStore(${JSON.stringify(file)});
    const { texts, documents } = store;
    const die = () => process.kill(process.pid, 'SIGKILL');
    const { rewrite, purge } = texts;
    texts.rewrite = async (kind, change) => {
      const changed = await rewrite(kind, change);
      if (kind === ${JSON.stringify(moment)}) die();
      return changed;
    };
    if (${JSON.stringify(moment)} === 'purge') texts.purge = async () => die();
    const { change } = documents;
    const ends = (kinds) => kinds.some(({ name }) => name === (${JSON.stringify(moment)} === 'trace' ? 'erased-trace' : 'none'));
    documents.change = async (kinds, work) => (ends(kinds) ? die() : await change(kinds, work));
    await (await planErasure(store, ${JSON.stringify(choice)})).erase();
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'inherit' });
  const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return signal;
}

test.each(['case', 'trial', 'scores', 'judgement', 'trace', 'purge'])(
  'an erasure that is killed after it has changed the kind %s is finished by the same command',
  async (moment) => {
    const file = await newFile();
    const first = openSqliteStore(file);
    await fillWithText(first, secret);
    await first.close();
    expect(await eraseAndDie(file, moment)).toBe('SIGKILL');
    const store = openSqliteStore(file);
    await (await planErasure(store, choice)).erase();
    for (const part of [secret, 'she is impatient', 'it knew me', 'Judge it.'])
      expect(bytesOf(file)).not.toContain(part);
    expect((await store.readRun(run.id))?.erasures).toMatchObject([{ records: 3 }]);
    expect(await Array.fromAsync(store.check())).toEqual([]);
    await store.close();
  },
);

describeWithPostgres('an erasure in PostgreSQL', () => {
  test('no row of any table holds the text, and no old version of a row is left', async () => {
    const schema = newSchema();
    await emptySchema(await sharedServer(), schema);
    const store = openPostgresStore(await sharedServer(), { schema });
    const client = new pg.Client({ connectionString: await sharedServer() });
    await client.connect();
    const tables = async () => {
      const sql = 'SELECT tablename FROM pg_tables WHERE schemaname = $1';
      return (await client.query<{ tablename: string }>(sql, [schema])).rows.map(
        ({ tablename }) => tablename,
      );
    };
    const holding = async () => {
      const found: string[] = [];
      for (const table of await tables()) {
        const sql = `SELECT 1 FROM "${schema}"."${table}" AS t WHERE strpos(t::text, $1) > 0`;
        if (((await client.query(sql, [secret])).rowCount ?? 0) > 0) found.push(table);
      }
      return found;
    };
    try {
      await fillWithText(store, secret);
      expect(await holding()).toEqual(
        expect.arrayContaining(['cases', 'trials', 'scores', 'judgements', 'spans']),
      );
      await (await planErasure(store, choice)).erase();
      expect(await holding()).toEqual([]);
      // Counted in the pages themselves: the server's own statistics come up to a second late.
      await client.query('CREATE EXTENSION IF NOT EXISTS pgstattuple');
      for (const table of ['cases', 'trials', 'scores', 'judgements', 'spans']) {
        const sql = 'SELECT dead_tuple_count::int AS dead FROM pgstattuple($1::regclass)';
        const { rows } = await client.query<{ dead: number }>(sql, [`"${schema}"."${table}"`]);
        expect([table, rows]).toEqual([table, [{ dead: 0 }]]);
      }
      expect(await Array.fromAsync(store.check())).toEqual([]);
    } finally {
      await client.end();
      await store.close();
    }
  });

  test('a transaction that still reads the old version of a row is waited for, and named when it stays open', async () => {
    const schema = newSchema();
    const address = await sharedServer();
    await emptySchema(address, schema);
    const store = openPostgresStore(address, { schema, waitMs: 500 });
    const reader = new pg.Client({ connectionString: address });
    await reader.connect();
    try {
      await fillWithText(store, secret);
      await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await reader.query(`SELECT count(*) FROM "${schema}".trials`);
      const erasing = async () => await (await planErasure(store, choice)).erase();
      await expect(erasing()).rejects.toMatchObject({
        code: 'store-unreadable',
        message: expect.stringContaining('keeps old versions of rows'),
      });
      const ending = setTimeout(() => void reader.query('COMMIT'), 100);
      await erasing();
      clearTimeout(ending);
      const held = `SELECT count(*) FROM "${schema}".trials AS t WHERE strpos(t::text, $1) > 0`;
      expect((await reader.query<{ count: string }>(held, [secret])).rows).toEqual([{ count: '0' }]);
    } finally {
      await reader.end();
      await store.close();
    }
  });
});
