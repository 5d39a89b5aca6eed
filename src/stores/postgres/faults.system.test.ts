import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { killWriters } from '../../../test/support/kill-writers.ts';
import {
  createDatabase,
  describeWithPostgres,
  guardedUser,
  newSchema,
  runSql,
  sharedServer,
  startOwnServer,
} from '../../../test/support/postgres-server.ts';
import { plannedAt, resultAt } from '../../../test/support/store-writer.ts';
import { testSelection } from '../../../test/support/test-selection.ts';
import { TouchstoneError } from '../../core/errors.ts';
import { buildCase, buildRun, buildTrial } from '../../library/testing/build-records.ts';
import type { Claim, Store } from '../store.ts';
import { isInFuture } from './explain-fault.ts';
import { migrations } from './migrations.ts';
import { openPostgresStore, type PostgresOptions } from './postgres.ts';
import { isReleaseTested } from '../../../test/support/is-release-tested.ts';

const run = buildRun();

/** Opens a store in a schema of the shared server. */
async function openIn(schema: string, options: PostgresOptions = {}) {
  return openPostgresStore(await sharedServer(), { schema, ...options });
}

/** Returns the error of a call that fails. */
async function errorOf(call: Promise<unknown>): Promise<TouchstoneError> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(TouchstoneError);
  return error as TouchstoneError;
}

describeWithPostgres('SQL of PostgreSQL', () => {
  const schema = newSchema();
  let opened: ReturnType<typeof openIn> | undefined;
  testSelection('PostgreSQL', async () => await (opened ??= openIn(schema)), 30);
});

describeWithPostgres('faults of a store in PostgreSQL', () => {
  test('a password that is wrong or missing is explained and never repeated', async () => {
    const url = new URL(await sharedServer());
    const { name, password } = guardedUser;
    await runSql(
      url.href,
      `CREATE ROLE ${name} LOGIN PASSWORD '${password}'; CREATE SCHEMA guarded AUTHORIZATION ${name}`,
    );
    const admitted = `postgres://${name}:${encodeURIComponent(password)}@${url.host}/postgres`;
    const store = openPostgresStore(admitted, { schema: 'guarded' });
    expect(store.address).toBe(`postgres://guarded@${url.host}/postgres?schema=guarded`);
    await store.createRun(run);
    await store.close();
    for (const pair of [`${name}:wr0ngwr0ng`, name]) {
      const refused = openPostgresStore(`postgres://${pair}@${url.host}/postgres`);
      const error = await errorOf(refused.listRuns());
      expect(error).toMatchObject({
        code: 'store-unreadable',
        remedy: expect.stringContaining('PGPASSWORD'),
      });
      expect(JSON.stringify([error.message, error.remedy, error.stack, String(error.cause)])).not.toContain(
        'wr0ng',
      );
      await refused.close();
    }
  });

  test('a server that is not there and a database that is missing are explained at once', async () => {
    const url = new URL(await sharedServer());
    const nowhere = openPostgresStore('postgres://ann@127.0.0.1:1/evals');
    expect(await errorOf(nowhere.listRuns())).toMatchObject({
      code: 'store-unreadable',
      message: expect.stringMatching(
        /^The store postgres:\/\/ann@127\.0\.0\.1:1\/evals cannot be reached: .*ECONNREFUSED/,
      ),
    });
    const missing = openPostgresStore(`postgres://touchstone@${url.host}/nothing`);
    expect(await errorOf(missing.createRun(run))).toMatchObject({
      message: expect.stringContaining('does not exist'),
      remedy: expect.stringContaining('createdb'),
    });
    await Promise.all([nowhere.close(), missing.close()]);
  });

  test('a newer layout, and tables of another program, are refused and not changed', async () => {
    const url = await sharedServer();
    const schema = newSchema();
    const first = await openIn(schema);
    await first.createRun(run);
    await first.close();
    await runSql(url, `UPDATE ${schema}.layout SET number = 99`);
    const second = await openIn(schema);
    expect(await errorOf(second.listRuns())).toMatchObject({
      code: 'store-version',
      message: expect.stringContaining(`(layout 99; this one knows ${migrations.length})`),
    });
    const other = newSchema();
    await runSql(url, `CREATE SCHEMA ${other}; CREATE TABLE ${other}.invoices (id int)`);
    const third = await openIn(other);
    expect((await errorOf(third.listRuns())).message).toContain(
      'tables of another program, such as invoices',
    );
    await Promise.all([second.close(), third.close()]);
  });

  test('processes that create the same store at the same moment all succeed', async () => {
    const schema = newSchema();
    const ids = ['a', 'b', 'c', 'd'];
    const stores = await Promise.all(ids.map(() => openIn(schema)));
    await Promise.all(stores.map((store, index) => store.createRun({ ...run, id: ids[index] as string })));
    expect((await stores[0]?.listRuns())?.map(({ id }) => id).sort()).toEqual(ids);
    await Promise.all(stores.map((store) => store.close()));
  });

  test('a store that is only read creates nothing, and sees what another one has created', async () => {
    const schema = newSchema();
    const reader = await openIn(schema, { opening: 'existing' });
    expect([await reader.listRuns(), await reader.exists()]).toEqual([[], false]);
    expect(
      await runSql(await sharedServer(), `SELECT 1 FROM pg_namespace WHERE nspname = '${schema}'`),
    ).toEqual([]);
    const writer = await openIn(schema);
    await writer.createRun(run);
    expect([(await reader.listRuns()).length, await reader.exists()]).toEqual([1, true]);
    await Promise.all([reader.close(), writer.close()]);
  });

  test('a row that was changed or removed in the database is noticed, and named by the check', async () => {
    const schema = newSchema();
    const store = await openIn(schema);
    await store.createRun(run);
    await store.addCases(run.id, [plannedAt(0), plannedAt(1)]);
    await store.addTrials(run.id, [resultAt(0, 1), resultAt(1, 1)]);
    expect(await Array.fromAsync(store.check())).toEqual([]);
    await runSql(
      await sharedServer(),
      `UPDATE ${schema}.trials SET cost = 99 WHERE ordinal = 1;
      SET session_replication_role = replica; DELETE FROM ${schema}.trials WHERE ordinal = 0`,
    );
    await expect(Array.fromAsync(store.readResults(run.id))).rejects.toMatchObject({ code: 'store-damaged' });
    expect(await Array.fromAsync(store.check())).toEqual([
      {
        runId: run.id,
        what: expect.stringContaining('a row of the table trials has changed since it was written'),
      },
      { runId: run.id, what: 'the table trials has 1 of 2 rows' },
    ]);
    await store.close();
  });

  test('keys, last digits, U+0000 and lone surrogates of a record stay as they are', async () => {
    const schema = newSchema();
    const store = await openIn(schema);
    await store.createRun(run);
    const odd = { z: 1, a: 0.1 + 0.2, 10: 1e21, text: '\0 \ud800 🙂' };
    const planned = {
      ...plannedAt(0),
      case: buildCase({ id: 'nul \0', tags: ['\0', '\ud800'], metadata: odd }),
    };
    await store.addCases(run.id, [planned]);
    const [kept] = await Array.fromAsync(store.readCases(run.id));
    expect(JSON.stringify(kept)).toBe(JSON.stringify(planned));
    expect(await store.findCase(run.id, 'nul \0')).toEqual(planned);
    await store.close();
  });
});

/** Ends the claim of another process and takes it, again if that has renewed it in between. */
async function takeOver(store: Store, schema: string): Promise<Claim> {
  for (;;) {
    await runSql(await sharedServer(), `UPDATE ${schema}.claims SET until = '-infinity'`);
    try {
      return await store.claimRun(run.id);
    } catch (error) {
      if ((error as TouchstoneError).code !== 'run-in-progress') throw error;
    }
  }
}

describeWithPostgres('claims in PostgreSQL', () => {
  test.skipIf(!isReleaseTested)(
    'the claim of a killed process is over when its lease has run out, and not before (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const schema = newSchema();
      const store = await openIn(schema, { leaseMs: 1500 });
      await store.createRun(run);
      const module = path.join(import.meta.dirname, 'postgres.ts');
      const script = `const { openPostgresStore } = await import(${JSON.stringify(module)});
      const store = openPostgresStore(${JSON.stringify(await sharedServer())}, { schema: '${schema}', leaseMs: 1500 });
      await store.claimRun('${run.id}');
      console.log('claimed');
      setInterval(() => {}, 1000);`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      // Renewed meanwhile.
      await pause(1800);
      expect(await store.isClaimed(run.id)).toBe(true);
      child.kill('SIGKILL');
      expect((await errorOf(store.claimRun(run.id))).remedy).toContain('its claim ends within 2 s');
      while (await store.isClaimed(run.id)) await pause(50);
      await using _claim = await store.claimRun(run.id);
      await store.close();
    },
  );

  test('who was held up and has lost a run to another process cannot write to it any more', async () => {
    const schema = newSchema();
    const [slow, quick] = [await openIn(schema, { leaseMs: 1000 }), await openIn(schema)];
    await slow.createRun(run);
    await slow.addCases(run.id, [{ position: 0, hash: '0'.repeat(32), place: 'x:1', case: buildCase() }]);
    const lost = await slow.claimRun(run.id);
    const answer = { case: buildCase(), trial: buildTrial('late') };
    await slow.addTrials(run.id, [answer]);
    const claim = await takeOver(quick, schema);
    await quick.addTrials(run.id, [{ ...answer, trial: buildTrial('in time') }]);
    const newOne = { ...answer, trial: buildTrial('late', { ordinal: 1, key: '1'.repeat(32) }) };
    for (const write of [
      async () => await slow.addTrials(run.id, [answer]),
      async () => await slow.addTrials(run.id, [newOne]),
      async () => await slow.addScores(run.id, [{ ...newOne, verdicts: {}, scorecard: null }]),
      async () => await slow.updateRun({ ...run, status: 'completed' }),
    ])
      expect(await errorOf(write())).toMatchObject({
        code: 'run-in-progress',
        message: expect.stringContaining('delayed for so long'),
      });
    const kept = await Array.fromAsync(quick.readResults(run.id));
    expect(kept.map(({ trial }) => trial.answer)).toEqual(['in time']);
    if (!lost.lost.aborted) await once(lost.lost, 'abort');
    expect(lost.lost.reason).toMatchObject({ code: 'run-in-progress' });
    await lost[Symbol.asyncDispose]();
    expect([claim.lost.aborted, await quick.isClaimed(run.id)]).toEqual([false, true]);
    await claim[Symbol.asyncDispose]();
    await Promise.all([slow.close(), quick.close()]);
  });
});

describeWithPostgres('kills', () => {
  const kills = Number(process.env['TOUCHSTONE_KILLS'] ?? 3);

  test.skipIf(!isReleaseTested)(
    `a killed writer loses no acknowledged record and leaves no partial one (${kills} kills) (needs TOUCHSTONE_TEST_ALL=1)`,
    {
      timeout: kills * 20_000,
    },
    async () => {
      const address = await createDatabase(await sharedServer());
      const written = { address, open: () => openPostgresStore(address) };
      expect(await killWriters(written, kills)).toBeGreaterThan(0);
    },
  );

  test('a server that is killed or restarted while it is written to costs time, and no answer twice or never', async () => {
    const server = await startOwnServer();
    const store = openPostgresStore(server.url);
    await store.createRun(run);
    await store.addCases(
      run.id,
      Array.from({ length: 60 }, (_, position) => plannedAt(position)),
    );
    let written = 0;
    const writing = (async () => {
      for (let ordinal = 0; ordinal < 60; ordinal += 1) {
        await store.addTrials(run.id, [resultAt(ordinal, 1)]);
        await store.addScores(run.id, [resultAt(ordinal, 1)]);
        written += 1;
        await pause(10);
      }
    })();
    for (const { end, after } of [
      { end: server.kill, after: 10 },
      { end: server.stop, after: 30 },
    ]) {
      while (written < after) await pause(5);
      await end();
      await server.start();
    }
    await writing;
    expect(await Array.fromAsync(store.readResults(run.id))).toEqual(
      Array.from({ length: 60 }, (_, ordinal) => resultAt(ordinal, 1)),
    );
    expect(await Array.fromAsync(store.check())).toEqual([]);
    await store.close();
    await server.stop();
  });

  test('a number that a crashed server has not given away, as far as it knows, is that of no transaction', async () => {
    const client = new pg.Client(await createDatabase(await sharedServer()));
    await client.connect();
    const running = await client.query('SELECT pg_xact_status(pg_current_xact_id())');
    expect(running.rows).toEqual([{ pg_xact_status: 'in progress' }]);
    const asked = client.query("SELECT pg_xact_status('999999999'::xid8)");
    expect(isInFuture(await asked.catch((error: unknown) => error))).toBe(true);
    await client.end();
  });

  test('a server that does not come back is explained after the time to wait', async () => {
    const server = await startOwnServer();
    const store = openPostgresStore(server.url, { waitMs: 300 });
    await store.createRun(run);
    await server.stop();
    expect(await errorOf(store.listRuns())).toMatchObject({ code: 'store-unreadable' });
    expect(await errorOf(store.updateRun(run))).toMatchObject({ code: 'store-unreadable' });
    await store.close();
  });
});
