import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createDatabase,
  describeWithPostgres,
  sharedServer,
  startOwnServer,
} from '../../../test/support/postgres-server.ts';
import { describeWithRedis, type RedisServer, startRedis } from '../../../test/support/redis-server.ts';
import { TouchstoneError } from '../../core/errors.ts';
import { createMemoryQueue } from '../../../test/support/memory-queue.ts';
import { testQueueContract } from '../../../test/support/queue-contract.ts';
import { openQueue } from './bullmq.ts';
import { isReleaseTested } from '../../../test/support/is-release-tested.ts';

testQueueContract('memory', async () => await Promise.resolve(createMemoryQueue()));

describeWithRedis('BullMQ over Redis', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(async () => await server[Symbol.asyncDispose]());
  testQueueContract('Redis', async (run) => await openQueue({ url: server.url, run, backOffMs: 1 }));

  test.skipIf(!isReleaseTested)(
    'a server that is killed and started again under load loses no part (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      expect(await takeThroughRestart(server)).toBe(300);
    },
  );

  test('the part of a process that was killed is given to another one', async () => {
    const options = { url: server.url, run: 'killed', lockMs: 1000 };
    const queue = await openQueue(options);
    await queue.add(['0-10']);
    const module = path.join(import.meta.dirname, 'bullmq.ts');
    const script = `
      const { openQueue } = await import(${JSON.stringify(module)});
      const queue = await openQueue(${JSON.stringify(options)});
      await queue.work(async (part) => { console.log(part); await new Promise(() => {}); },
        { concurrency: 1, signal: new AbortController().signal });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [taken] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    child.kill('SIGKILL');
    expect(taken).toBe('0-10');
    const ended = new AbortController();
    const again: string[] = [];
    await queue.work(
      async (part) => {
        again.push(part);
        ended.abort();
      },
      { concurrency: 1, signal: ended.signal },
    );
    expect(again).toEqual(['0-10']);
    await queue.close();
  });

  test.skipIf(!isReleaseTested)(
    'a server that is away for ever does not keep a process from ending, once its part is finished (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      await using own = await startRedis();
      const queue = await openQueue({ url: own.url, run: 'away' });
      await queue.add(['0-10']);
      const ended = new AbortController();
      let isFinished = false;
      await queue.work(
        async () => {
          await own.kill();
          ended.abort();
          await wait(300);
          isFinished = true;
        },
        { concurrency: 1, signal: ended.signal },
      );
      expect(isFinished).toBe(true);
      await queue.close();
    },
  );
});

/** Takes 300 parts from a server that is killed and started again meanwhile. Returns the number of those that were done. */
async function takeThroughRestart({
  url,
  kill,
  start,
}: Pick<RedisServer, 'url' | 'kill' | 'start'>): Promise<number> {
  const queue = await openQueue({ url, run: 'restarted', lockMs: 2000 });
  const parts = Array.from({ length: 300 }, (_, index) => `${index}-${index + 1}`);
  await queue.add(parts);
  const done = new Set<string>();
  const ended = new AbortController();
  const working = queue.work(
    async (part) => {
      await wait(2);
      done.add(part);
      if (done.size === parts.length) ended.abort();
    },
    { concurrency: 4, signal: ended.signal },
  );
  while (done.size < 50) await wait(5);
  await kill();
  await start();
  await working;
  await queue.close();
  return done.size;
}

describeWithPostgres('BullMQ over PostgreSQL', () => {
  let url = '';
  beforeAll(async () => {
    url = await createDatabase(await sharedServer());
  });
  testQueueContract('PostgreSQL', async (run) => await openQueue({ url, run, backOffMs: 1 }));

  test.skipIf(!isReleaseTested)(
    'a server that is killed and started again under load loses no part (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      expect(await takeThroughRestart(await startOwnServer())).toBe(300);
    },
  );
});

test('an address of no known kind is refused, without being repeated', async () => {
  const error = await openQueue({ url: 'amqp://user:p4ss@host', run: 'r' }).catch(
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(TouchstoneError);
  expect(String(error)).not.toContain('p4ss');
});
