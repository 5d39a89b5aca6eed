import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import {
  createDatabase,
  describeWithPostgres,
  emptySchema,
  newSchema,
  runSql,
  sharedServer,
} from '../../../test/support/postgres-server.ts';
import { cutAudit, recordEvent } from '../../privacy/accounts/audit.ts';
import { planErasure } from '../../privacy/erasure/erase-texts.ts';
import { buildRun, buildTrial } from '../../library/testing/build-records.ts';
import { testRemovedElsewhere } from '../../../test/support/store-contract/removed-elsewhere.ts';
import { testStoreContract } from '../../../test/support/store-contract/store-contract.ts';
import { plan } from '../../../test/support/store-contract/store-records.ts';
import { openPostgresStore } from './postgres.ts';
import { prepareProjectRole } from './project-role.ts';

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

  testRemovedElsewhere(
    'postgres',
    async () => {
      const other = newSchema();
      const server = await sharedServer();
      return [openPostgresStore(server, { schema: other }), openPostgresStore(server, { schema: other })];
    },
    { test, expect },
  );

  test('results of a run whose rows the server has not counted yet are read each by its key', async () => {
    const server = await createDatabase(await sharedServer());
    const store = openPostgresStore(server, { schema });
    const results = Array.from({ length: 400 }, (_, position) => ({
      planned: plan(position, { id: `q${position}` }),
      trial: buildTrial('yes', {
        caseId: `q${position}`,
        ordinal: position,
        key: String(position).padStart(32, '0'),
      }),
    }));
    const fill = async (id: string) => {
      const dataset = { sources: ['a.jsonl'], cases: results.length, hash: 'x' };
      await store.createRun(buildRun({ id, dataset, attempts: 1 }));
      await store.addCases(
        id,
        results.map(({ planned }) => planned),
      );
      await store.addTrials(
        id,
        results.map(({ planned, trial }) => ({ case: planned.case, trial })),
      );
      await store.addScores(
        id,
        results.map(({ planned, trial }) => ({ case: planned.case, trial, verdicts: {}, scorecard: null })),
      );
    };
    const [first, second] = ['20260102-030405-aaaa', '20260102-030406-bbbb'];
    await fill(first);
    await runSql(
      server,
      `ALTER TABLE ${schema}.trials SET (autovacuum_enabled = off); ALTER TABLE ${schema}.scores SET (autovacuum_enabled = off); ANALYZE`,
    );
    await fill(second);
    await store.close();
    const reader = openPostgresStore(server, { schema });
    await runSql(server, 'SELECT pg_stat_reset()');
    expect(await Array.fromAsync(reader.readResults(second))).toHaveLength(results.length);
    await reader.close();
    // The server counts the reads of a connection when that has ended.
    const readRows = async () =>
      await runSql(
        server,
        `SELECT CAST(sum(idx_tup_read) AS FLOAT) AS rows FROM pg_stat_user_indexes WHERE relname = 'scores'`,
      );
    await expect.poll(async () => (await readRows())[0]?.['rows'], { timeout: 60_000 }).toBeGreaterThan(0);
    expect((await readRows())[0]?.['rows']).toBeLessThan(10 * results.length);
  });

  test('answers and scores that many give at once are all stored, once each, and every write changes the version', async () => {
    const server = await createDatabase(await sharedServer());
    await using opened = new AsyncDisposableStack();
    const store = openPostgresStore(server, { schema });
    opened.defer(async () => await store.close());
    const run = buildRun({
      id: '20260102-030405-cccc',
      dataset: { sources: ['a.jsonl'], cases: 150, hash: 'x' },
      attempts: 1,
    });
    await store.createRun(run);
    const planned = Array.from({ length: 150 }, (_, position) => plan(position, { id: `q${position}` }));
    await store.addCases(run.id, planned);
    const answerAt = (ordinal: number, answer = 'yes') => ({
      case: (planned[ordinal] as (typeof planned)[number]).case,
      trial: buildTrial(answer, { caseId: `q${ordinal}`, ordinal, key: String(ordinal).padStart(32, '0') }),
    });
    const versions = [await store.readVersion()];
    // As many in a write as one statement has for, fewer, and more.
    const writes = [0, 1, 2, 5, 9, 14, 19, 149].map(
      (from, index, all) => [from, all[index + 1] ?? 150] as const,
    );
    const written = await Promise.all(
      writes.map(async ([from, to]) => {
        const ordinals = Array.from({ length: to - from }, (_, index) => from + index);
        return await store.addTrials(
          run.id,
          ordinals.map((ordinal) => answerAt(ordinal)),
          { keepsDone: true },
        );
      }),
    );
    expect(written.flat()).toEqual([]);
    versions.push(await store.readVersion());
    // Of what another process has stored, the first answer counts; the new one beside it is stored, and the same again is not late.
    await runSql(server, `DELETE FROM ${schema}.trials WHERE ordinal = 7`);
    const late = await store.addTrials(run.id, [answerAt(6, 'no'), answerAt(7), answerAt(8)], {
      keepsDone: true,
    });
    expect(late.map(({ trial }) => [trial.ordinal, trial.answer])).toEqual([[6, 'no']]);
    versions.push(await store.readVersion());
    const scores = planned.map((_, ordinal) => ({ ...answerAt(ordinal), verdicts: {}, scorecard: null }));
    for (const [from, to] of writes) await store.addScores(run.id, scores.slice(from, to));
    versions.push(await store.readVersion());
    const results = await Array.fromAsync(store.readResults(run.id));
    expect(results.map(({ trial }) => [trial.ordinal, trial.answer])).toEqual(
      scores.map(({ trial }) => [trial.ordinal, 'yes']),
    );
    expect(new Set(versions).size).toBe(versions.length);
    const [counted] = await runSql(server, `SELECT trials, scores FROM ${schema}.totals`);
    expect([Number(counted?.['trials']), Number(counted?.['scores'])]).toEqual([150, 150]);
  });

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

describeWithPostgres('a process with many stores', () => {
  test('uses a bounded number of connections over all of them, and leaves few of them open', async () => {
    const server = await createDatabase(await sharedServer());
    const stores = Array.from({ length: 15 }, () => openPostgresStore(server, { schema: 'shop' }));
    await stores[0]?.createRun(buildRun({ id: '20260102-030405-abcd' }));
    const count = async () => {
      const [row] = await runSql(
        server,
        `SELECT count(*) AS number FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'touchstone'`,
      );
      return Number(row?.['number']);
    };
    const counts: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const reading = stores.flatMap((store) => [1, 2, 3, 4].map(async () => await store.listRuns()));
      counts.push(await count());
      await Promise.all(reading);
    }
    expect(Math.max(...counts)).toBeLessThanOrEqual(40);
    expect(Math.max(...counts)).toBeGreaterThan(10);
    expect(await count()).toBeLessThanOrEqual(20);
    await Promise.all(stores.map(async (store) => await store.close()));
  });
});

/** Runs a script of the deployment on a database as its administrator. */
function runScript(url: string, script: string, variables: Readonly<Record<string, string>>): void {
  const file = path.resolve(import.meta.dirname, '../../../deploy', script);
  const set = Object.entries(variables).flatMap(([name, value]) => ['-v', `${name}=${value}`]);
  execFileSync('psql', ['--quiet', '--dbname', url, ...set, '-f', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Returns the number of files of a database that contain a text. */
async function countFilesWith(url: string, text: string): Promise<number> {
  await runSql(url, 'CHECKPOINT');
  const [place] = await runSql(
    url,
    `SELECT current_setting('data_directory') AS data, oid FROM pg_database WHERE datname = current_database()`,
  );
  const folder = path.join(String(place?.['data']), 'base', String(place?.['oid']));
  return readdirSync(folder).filter((name) => readFileSync(path.join(folder, name)).includes(text)).length;
}

describeWithPostgres('the role of a project', () => {
  test('leaves none of the texts that were erased in the files of the database', async () => {
    const server = await createDatabase(await sharedServer());
    const schema = 'shop';
    const role = await prepareProjectRole(server, { schema });
    const store = openPostgresStore(server, { schema, role: role ?? '' });
    const run = buildRun({ id: '20260102-030405-abcd', description: 'Anabel Quixotic 4711' });
    await store.createRun(run);
    expect(await countFilesWith(server, 'Quixotic 4711')).toBeGreaterThan(0);
    const { erase } = await planErasure(store, { texts: ['Anabel Quixotic 4711'], users: [] });
    expect((await erase()).inFiles).toBeUndefined();
    await store.close();
    expect(await countFilesWith(server, 'Quixotic 4711')).toBe(0);
  });

  test('reads and writes the tables of its project, and no others, whatever a statement asks for', async () => {
    const server = await createDatabase(await sharedServer());
    const url = new URL(server);
    url.username = 'owner_of_projects';
    await runSql(
      server,
      `DROP ROLE IF EXISTS owner_of_projects; CREATE ROLE owner_of_projects LOGIN CREATEROLE;
      GRANT CREATE ON DATABASE ${url.pathname.slice(1)} TO owner_of_projects`,
    );
    const [role, other] = [
      await prepareProjectRole(url.href, { schema: 'shop' }),
      await prepareProjectRole(url.href, { schema: 'bank' }),
    ];
    expect(role).toBeDefined();
    expect(role).not.toBe(other);
    expect(await prepareProjectRole(url.href, { schema: 'shop' })).toBe(role);
    const store = openPostgresStore(url.href, { schema: 'shop', role: role ?? '' });
    await store.createRun(buildRun({ id: '20260102-030405-abcd' }));
    expect((await store.listRuns()).map(({ id }) => id)).toEqual(['20260102-030405-abcd']);
    await expect(recordEvent(store.accounts, event)).rejects.toThrow('permission denied');
    await expect(store.accounts.records.list('')).rejects.toThrow('permission denied');
    await store.close();

    const wrong = openPostgresStore(url.href, { schema: 'bank', role: role ?? '' });
    await expect(wrong.listRuns()).rejects.toThrow('permission denied');
    await wrong.close();
    for (const sql of [
      'SELECT * FROM bank.runs',
      'INSERT INTO bank.shared VALUES (1, 2, 3)',
      'UPDATE shop.audit SET entry = 1',
      'SELECT * FROM shop.accounts',
      'CREATE TABLE shop.more (id INT)',
    ])
      await expect(runSql(url.href, `SET ROLE ${role}; ${sql}`)).rejects.toThrow('permission denied');
    const unknown = openPostgresStore(url.href, { schema: 'shop', role: 'nothing', waitMs: 1000 });
    await expect(unknown.listRuns()).rejects.toMatchObject({ code: 'store-unreadable' });
    await unknown.close();
  });

  test('made by an administrator is used by a server that may create none, and a login of the project has its rights alone', async () => {
    const server = await createDatabase(await sharedServer());
    const database = new URL(server).pathname.slice(1);
    const [owner, login] = [`server_${database}`, `ci_${database}`];
    const as = (user: string) => Object.assign(new URL(server), { username: user }).href;
    await runSql(server, `CREATE ROLE ${owner} LOGIN; GRANT CREATE ON DATABASE ${database} TO ${owner}`);
    runScript(server, 'project.sql', { server: owner, schema: 'shop', login });
    await prepareProjectRole(as(owner), { schema: 'bank' });
    const role = await prepareProjectRole(as(owner), { schema: 'shop' });
    expect(role).toMatch(/^touchstone_[0-9a-f]{16}$/);

    const store = openPostgresStore(as(login), { schema: 'shop' });
    await store.createRun(buildRun({ id: '20260102-030405-abcd' }));
    expect((await store.listRuns()).map(({ id }) => id)).toEqual(['20260102-030405-abcd']);
    await expect(recordEvent(store.accounts, event)).rejects.toThrow('permission denied');
    expect(await store.texts.purge()).toContain('VACUUM (FULL) "shop".');
    await store.close();
    for (const sql of ['SELECT * FROM bank.runs', 'SELECT * FROM shop.accounts', 'SELECT * FROM shop.audit'])
      await expect(runSql(as(login), sql)).rejects.toThrow('permission denied');
  });

  test('that no login holds owns the audit log, once it is sealed: the server adds entries and cuts it by age, and changes none', async () => {
    const server = await createDatabase(await sharedServer());
    const database = new URL(server).pathname.slice(1);
    const owner = `server_${database}`;
    await runSql(server, `CREATE ROLE ${owner} LOGIN; GRANT CREATE ON DATABASE ${database} TO ${owner}`);
    const url = Object.assign(new URL(server), { username: owner }).href;
    const first = openPostgresStore(url);
    await recordEvent(first.accounts, event);
    await first.close();
    runScript(server, 'seal-audit.sql', { server: owner, schema: 'touchstone' });

    const store = openPostgresStore(url);
    await store.createRun(buildRun({ id: '20260102-030405-abcd' }));
    for (const _ of [1, 2]) await recordEvent(store.accounts, event);
    expect(await cutAudit(store.accounts, 'ann', '2999-01-01')).toBeGreaterThan(0);
    await store.close();
    for (const sql of [
      `UPDATE touchstone.audit SET entry = ''`,
      'TRUNCATE touchstone.audit',
      'DROP TABLE touchstone.audit',
      'DROP SCHEMA touchstone CASCADE',
      'ALTER TABLE touchstone.audit DISABLE TRIGGER ALL',
      'DROP TRIGGER audit_keeps ON touchstone.audit',
      'CREATE OR REPLACE FUNCTION touchstone.audit_refuses() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
    ])
      await expect(runSql(url, sql)).rejects.toThrow(/permission denied|must be owner/);
    await expect(runSql(url, 'DELETE FROM touchstone.audit')).rejects.toThrow(
      'entries of the audit log are never changed',
    );
  });

  test('is left out where roles cannot be created', async () => {
    const server = await createDatabase(await sharedServer());
    const url = new URL(server);
    url.username = 'no_roles';
    await runSql(
      server,
      `DROP ROLE IF EXISTS no_roles; CREATE ROLE no_roles LOGIN;
      GRANT CREATE ON DATABASE ${url.pathname.slice(1)} TO no_roles`,
    );
    expect(await prepareProjectRole(url.href, { schema: 'shop' })).toBeUndefined();
  });
});

const event = { who: 'ann', address: null, action: 'test', project: 'main', object: null };
