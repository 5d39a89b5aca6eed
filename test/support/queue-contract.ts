import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { mostAttempts, type Queue } from '../../src/evaluate/queues/queue.ts';
import { isReleaseTested } from './is-release-tested.ts';

/** The parts of a large run. */
const many = isReleaseTested ? 10_000 : 1000;

/** The tests that every queue passes. `open` returns the queue of a run, which may have been opened before. */
export function testQueueContract(name: string, open: (run: string) => Promise<Queue>): void {
  describe(`the contract of queues: ${name}`, () => {
    let runs = 0;
    const openNew = async () => await open(`contract-${(runs += 1)}-${Date.now()}`);

    test('every part is given to one process, and is gone when it is done', async () => {
      await using used = closing(await openNew());
      const { queue } = used;
      await queue.add(['0-10', '10-20']);
      await queue.add(['10-20', '20-30']);
      expect(await queue.count()).toEqual({ waiting: 3, active: 0 });
      const taken: string[] = [];
      const ended = new AbortController();
      const work = async () =>
        await queue.work(
          async (part) => {
            taken.push(part);
            await wait(20);
            if (taken.length === 3) ended.abort();
          },
          { concurrency: 1, signal: ended.signal },
        );
      await Promise.all([work(), work()]);
      expect(taken.toSorted()).toEqual(['0-10', '10-20', '20-30']);
      expect(await queue.count()).toEqual({ waiting: 0, active: 0 });
      // What is done can be added again: the store may say that it is not.
      await queue.add(['0-10']);
      expect(await queue.count()).toEqual({ waiting: 1, active: 0 });
    });

    test('a part that is worked on is not added again', async () => {
      await using used = closing(await openNew());
      const { queue } = used;
      await queue.add(['0-10']);
      const ended = new AbortController();
      const taken: string[] = [];
      await queue.work(
        async (part) => {
          taken.push(part);
          await queue.add(['0-10']);
          expect(await queue.count()).toEqual({ waiting: 0, active: 1 });
          ended.abort();
        },
        { concurrency: 1, signal: ended.signal },
      );
      expect(taken).toEqual(['0-10']);
    });

    test('a part that always fails is left out after ten times, and others are done meanwhile', async () => {
      await using used = closing(await openNew());
      const { queue } = used;
      await queue.add(['poison', '0-10', '10-20']);
      const ended = new AbortController();
      const taken: string[] = [];
      const working = queue.work(
        async (part) => {
          taken.push(part);
          if (part === 'poison') await Promise.reject(new Error('it never works'));
        },
        { concurrency: 1, signal: ended.signal },
      );
      while (taken.length < mostAttempts + 2) await wait(5);
      while ((await queue.count()).active > 0) await wait(5);
      expect(await queue.count()).toEqual({ waiting: 0, active: 0 });
      ended.abort();
      await working;
      expect(taken.toSorted()).toEqual([
        '0-10',
        '10-20',
        ...Array.from({ length: mostAttempts }, () => 'poison'),
      ]);
      expect(taken.lastIndexOf('10-20')).toBeLessThan(mostAttempts);
    });
  });
  testUse(name, open);
}

function testUse(name: string, open: (run: string) => Promise<Queue>): void {
  describe(`the use of queues: ${name}`, () => {
    let runs = 0;
    const openNew = async () => await open(`use-${(runs += 1)}-${Date.now()}`);

    test('a queue that is paused gives no part to anybody until it is resumed', async () => {
      await using used = closing(await openNew());
      const { queue } = used;
      await queue.pause();
      await queue.add(['0-10']);
      const ended = new AbortController();
      const taken: string[] = [];
      const working = queue.work(
        async (part) => {
          taken.push(part);
          ended.abort();
        },
        { concurrency: 1, signal: ended.signal },
      );
      await wait(300);
      expect(taken).toEqual([]);
      expect(await queue.count()).toEqual({ waiting: 1, active: 0 });
      await queue.resume();
      await working;
      expect(taken).toEqual(['0-10']);
    });

    test(`of ${many} parts none is given twice, and a queue that is removed is empty`, async () => {
      await using used = closing(await openNew());
      const { queue } = used;
      const parts = Array.from({ length: many }, (_, index) => `${index}-${index + 1}`);
      await queue.add(parts);
      expect(await queue.count()).toEqual({ waiting: many, active: 0 });
      const ended = new AbortController();
      const taken: string[] = [];
      await queue.work(
        async (part) => {
          taken.push(part);
          if (taken.length === many / 5) ended.abort();
        },
        { concurrency: 50, signal: ended.signal },
      );
      expect(new Set(taken).size).toBe(taken.length);
      expect((await queue.count()).waiting).toBe(many - taken.length);
      await queue.remove();
      expect(await queue.count()).toEqual({ waiting: 0, active: 0 });
    });

    test('the queues of two runs have nothing in common', async () => {
      await using one = closing(await openNew());
      await using other = closing(await openNew());
      await one.queue.add(['0-10']);
      await other.queue.add(['0-10', '10-20']);
      await other.queue.remove();
      expect(await one.queue.count()).toEqual({ waiting: 1, active: 0 });
    });
  });
}

function closing(queue: Queue): AsyncDisposable & { readonly queue: Queue } {
  return {
    queue,
    [Symbol.asyncDispose]: async () => {
      await queue.remove();
      await queue.close();
    },
  };
}
