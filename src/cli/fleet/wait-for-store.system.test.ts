import { expect, test } from 'vitest';
import { TouchstoneError } from '../../core/errors.ts';
import { isPassing } from '../../stores/postgres/explain-fault.ts';
import { openPostgresStore } from '../../stores/postgres/postgres.ts';
import { describeWithPostgres, startOwnServer } from '../../../test/support/postgres-server.ts';
import { whenReachable } from './wait-for-store.ts';

/** A worker that waits for its store, what it has said, and how it can be stopped. */
function worker(limitMs: number) {
  const said: string[] = [];
  const stopping = new AbortController();
  const needs = {
    note: (text: string) => void said.push(text),
    stop: stopping.signal,
    isAway: isPassing,
    limitMs,
  };
  return { said, stopping, needs };
}

describeWithPostgres('a store that is away when a worker begins', () => {
  test('is waited for, which is said once, and used when it is back', async () => {
    const server = await startOwnServer();
    await server.stop();
    await using store = new AsyncDisposableStack();
    const opened = store.adopt(
      openPostgresStore(server.url, { waitMs: 50 }),
      async (each) => await each.close(),
    );
    const { said, needs } = worker(600_000);
    let looks = 0;
    const run = await whenReachable(async () => {
      looks += 1;
      if (looks === 3) await server.start();
      return await opened.readRun('none');
    }, needs);
    expect([run, looks]).toEqual([undefined, 3]);
    expect(said).toEqual([
      expect.stringMatching(
        /^The store postgres:\S+ cannot be reached: .* This worker waits until it is back, until \d{4}-\d\d-\d\d \d\d:\d\d UTC at most\.$/,
      ),
      'The store is back.',
    ]);
  });

  test('and does not come back in time is an error that says how to continue; a stop ends the wait at once', async () => {
    const server = await startOwnServer();
    await server.stop();
    await using store = new AsyncDisposableStack();
    const opened = store.adopt(
      openPostgresStore(server.url, { waitMs: 50 }),
      async (each) => await each.close(),
    );
    const late = worker(700);
    const failure = await whenReachable(async () => await opened.readRun('none'), late.needs).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(TouchstoneError);
    expect(failure).toMatchObject({
      code: 'store-unreadable',
      message: expect.stringMatching(/It was not back in time: this worker ends\.$/),
      remedy: expect.stringContaining('touchstone run --resume'),
    });
    expect(late.said).toHaveLength(1);
    const stopped = worker(600_000);
    const waiting = whenReachable(async () => await opened.readRun('none'), {
      ...stopped.needs,
      note: () => stopped.stopping.abort(),
    });
    await expect(waiting).rejects.toThrow('cannot be reached');
  });

  test('and refuses the user is not waited for', async () => {
    const server = await startOwnServer();
    await using store = new AsyncDisposableStack();
    const url = server.url.replace(/[^/]+$/, 'nowhere');
    const opened = store.adopt(openPostgresStore(url, { waitMs: 50 }), async (each) => await each.close());
    const { said, needs } = worker(600_000);
    await expect(whenReachable(async () => await opened.readRun('none'), needs)).rejects.toThrow(
      'does not exist',
    );
    expect(said).toEqual([]);
  });
});
