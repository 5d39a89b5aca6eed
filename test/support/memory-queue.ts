import { setTimeout as wait } from 'node:timers/promises';
import { mostAttempts, type Queue } from '../../src/evaluate/queues/queue.ts';

/** Creates a queue in memory, which ends with the process: what the contract says, in its simplest form. */
export function createMemoryQueue(): Queue {
  const waiting = new Map<string, number>();
  const active = new Set<string>();
  let isPaused = false;
  return {
    add: async (parts) => {
      for (const part of parts) if (!active.has(part) && !waiting.has(part)) waiting.set(part, 0);
    },
    work: async (handle, { concurrency, signal }) => {
      const workOnNext = async (): Promise<void> => {
        while (!signal.aborted) {
          const [next] = isPaused ? [] : waiting;
          if (next === undefined) {
            await wait(5);
            continue;
          }
          const [part, attempts] = next;
          waiting.delete(part);
          active.add(part);
          const isDone = await handle(part).then(
            () => true,
            () => false,
          );
          active.delete(part);
          if (!isDone && attempts + 1 < mostAttempts) waiting.set(part, attempts + 1);
        }
      };
      await Promise.all(Array.from({ length: concurrency }, workOnNext));
    },
    pause: async () => {
      isPaused = true;
    },
    resume: async () => {
      isPaused = false;
    },
    remove: async () => {
      waiting.clear();
    },
    count: async () => ({ waiting: waiting.size, active: active.size }),
    close: async () => {},
  };
}
