import { existsSync, readdirSync, statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { ModelServer } from '../src/testing/model-server/model-server.ts';
import type { Random } from '../src/stats/random.ts';

/** When a process is killed, told in words that lead to the same moment again. */
export interface Moment {
  readonly words: string;
  /** Resolves at that moment, or when the signal says that the process has ended before. */
  readonly reached: (ended: AbortSignal) => Promise<void>;
}

/** Makes moments out of random numbers. */
export function createMoments(random: Random) {
  const upTo = (most: number) => Math.round(random.next() * most * 10) / 10;
  const moment = (event: string, isThere: () => boolean, mostMs: number): Moment => {
    const ms = upTo(mostMs);
    return {
      words: `${ms} ms after ${event}`,
      reached: async (ended) => {
        while (!isThere() && !ended.aborted) await wait(1);
        await wait(ms, undefined, { signal: ended }).catch(() => {}); // It ended first.
      },
    };
  };
  return {
    /** Some time after the process was started. */
    afterStart: (mostMs: number) => moment('its start', () => true, mostMs),
    /** Some time after a server was called so many times more. */
    afterCalls: (server: ModelServer, calls: number, mostMs: number) => {
      const due = server.requests.length + calls;
      return moment(`${calls} more calls`, () => server.requests.length >= due, mostMs);
    },
    /** Some time after so many files whose names end so are in a folder. */
    afterFiles: (folder: string, { end, count }: { end: string; count: number }, mostMs: number) => {
      const isThere = () => readdirSync(folder).filter((name) => name.endsWith(end)).length >= count;
      return moment(`${count} files *${end}`, isThere, mostMs);
    },
    /** Some time after a file was written, or written to. */
    afterWriting: (file: string, mostMs: number) => {
      const before = stateOf(file);
      return moment(`${file} was written`, () => stateOf(file) !== before, mostMs);
    },
  };
}

function stateOf(file: string): string {
  if (!existsSync(file)) return '';
  const { size, mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return `${size} ${mtimeMs}`;
}
