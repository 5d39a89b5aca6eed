import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, describeWithPostgres, sharedServer } from '../../test/support/postgres-server.ts';
import { describeWithRedis, type RedisServer, startRedis } from '../../test/support/redis-server.ts';
import { TouchstoneError } from '../errors.ts';
import { createMemoryQueue } from '../../test/support/memory-queue.ts';
import { testQueueContract } from '../../test/support/queue-contract.ts';
import { openQueue } from './bullmq.ts';

testQueueContract('memory', async () => await Promise.resolve(createMemoryQueue()));

describeWithRedis('BullMQ over Redis', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(async () => await server[Symbol.asyncDispose]());
  testQueueContract('Redis', async (run) => await openQueue({ url: server.url, run }));

  test('a server that is killed and started again under load loses no part', async () => {
    const queue = await openQueue({ url: server.url, run: 'restarted', lockMs: 2000 });
    const parts = Array.from({ length: 300 }, (_, index) => `${index}-${index + 1}`);
    await queue.add(parts);
    const done = new Set<string>();
    const ended = new AbortController();
    const working = queue.work(
      async (part) => {
        await new Promise((resolve) => setTimeout(resolve, 2));
        done.add(part);
        if (done.size === parts.length) ended.abort();
      },
      { concurrency: 4, signal: ended.signal },
    );
    while (done.size < 50) await new Promise((resolve) => setTimeout(resolve, 5));
    await server.kill();
    await server.start();
    await working;
    expect(done.size).toBe(parts.length);
    await queue.remove();
    await queue.close();
  });

  test('a server that is away for ever does not keep a process from ending, once its part is finished', async () => {
    await using own = await startRedis();
    const queue = await openQueue({ url: own.url, run: 'away' });
    await queue.add(['0-10']);
    const ended = new AbortController();
    let isFinished = false;
    await queue.work(
      async () => {
        await own.kill();
        ended.abort();
        await new Promise((resolve) => setTimeout(resolve, 300));
        isFinished = true;
      },
      { concurrency: 1, signal: ended.signal },
    );
    expect(isFinished).toBe(true);
    await queue.close();
  });
});

describeWithPostgres('BullMQ over PostgreSQL', () => {
  let url = '';
  beforeAll(async () => {
    url = await createDatabase(await sharedServer());
  });
  testQueueContract('PostgreSQL', async (run) => await openQueue({ url, run }));
});

test('an address of no known kind is refused, without being repeated', async () => {
  const error = await openQueue({ url: 'amqp://user:p4ss@host', run: 'r' }).catch(
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(TouchstoneError);
  expect(String(error)).not.toContain('p4ss');
});
