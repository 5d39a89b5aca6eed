import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  createDatabase,
  describeWithPostgres,
  newSchema,
  sharedServer,
} from '../../../test/support/postgres-server.ts';
import type { Store } from '../store.ts';
import { openPostgresStore } from './postgres.ts';
import { isReleaseTested } from '../../../test/support/is-release-tested.ts';

/** Adds to a count that processes share, as often as given. Returns how often a change was decided about. */
async function addUp(store: Pick<Store, 'shared'>, times: number): Promise<number> {
  let decisions = 0;
  for (let time = 0; time < times; time += 1) {
    await store.shared.change<number, void>('count', (before = 0) => {
      decisions += 1;
      return { value: before + 1, result: undefined };
    });
  }
  return decisions;
}

describeWithPostgres('changes of one record by many', () => {
  test('each has its turn: none is lost, and none is decided about twice', async () => {
    const schema = newSchema();
    const server = await sharedServer();
    const stores = Array.from({ length: 12 }, () => openPostgresStore(server, { schema, turnMs: 60_000 }));
    await Promise.all(stores.map(async (store) => await store.exists()));
    const decisions = await Promise.all(stores.map(async (store) => await addUp(store, 20)));
    expect(decisions).toEqual(stores.map(() => 20));
    expect(await stores[0]?.shared.list('count')).toEqual([{ name: 'count', value: 240 }]);
    await Promise.all(stores.map(async (store) => await store.close()));
  });

  test.skipIf(!isReleaseTested)(
    'a process that is held up in its turn, or killed in it, holds the others up until the server ends its turn (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const schema = newSchema();
      const server = await sharedServer();
      const store = openPostgresStore(server, { schema });
      await addUp(store, 1);
      const goOn = path.join(await mkdtemp(path.join(tmpdir(), 'turns-')), 'go-on');
      // Nothing else happens in this process until it may go on.
      const script = `const { existsSync } = await import('node:fs');
      const { openPostgresStore } = await import(${JSON.stringify(path.join(import.meta.dirname, 'postgres.ts'))});
      const store = openPostgresStore(${JSON.stringify(server)}, { schema: '${schema}' });
      await store.shared.change('count', (before) => {
        process.stdout.write('mine');
        while (!existsSync(${JSON.stringify(goOn)})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
        return { value: before + 1000, result: undefined };
      });
      await store.close();`;
      for (const isKilled of [true, false]) {
        const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        const ended = once(child, 'close');
        await once(child.stdout, 'data');
        const others = addUp(store, 5);
        if (isKilled) child.kill('SIGKILL');
        expect(await others).toBe(5);
        await writeFile(goOn, '');
        await ended;
      }
      // The process that was too slow for its turn has made its change without one, and once.
      expect(await store.shared.list('count')).toEqual([{ name: 'count', value: 1011 }]);
      await store.close();
    },
  );

  test('a connection that is lost before or after the write of a change costs time, and no change is lost or made twice', async () => {
    await using cutting = await startCutting(await createDatabase(await sharedServer()));
    const store = openPostgresStore(cutting.url);
    await addUp(store, 12);
    expect(cutting.cuts()).toBeGreaterThanOrEqual(4);
    expect(await store.shared.list('count')).toEqual([{ name: 'count', value: 12 }]);
    await store.close();
  });
});

/** Passes connections on to a server, and cuts one with every third write of a shared record: in turn before the server gets it and after it has done it. */
async function startCutting(url: string) {
  const { hostname, port } = new URL(url);
  let [writes, cuts] = [0, 0];
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    let isLast = false;
    for (const socket of [client, upstream]) socket.on('error', cut).on('close', cut);
    client.on('data', (message) => {
      const isWrite = /INTO shared|UPDATE shared/.test(message.toString('latin1'));
      const isCut = isWrite && (writes += 1) % 3 === 0;
      if (isCut) cuts += 1;
      if (isCut && cuts % 2 === 1) cut();
      else upstream.write(message);
      isLast = isCut;
    });
    upstream.on('data', (message) => (isLast ? cut() : client.write(message)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = new URL(url);
  near.port = String((server.address() as AddressInfo).port);
  return {
    url: near.href,
    cuts: () => cuts,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}
