import { existsSync, readdirSync, statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { ModelServer } from '../src/library/testing/model-server/model-server.ts';
import type { Random } from '../src/core/stats/random.ts';

/** The moment of a kill, described so that it can be reproduced. */
export interface Moment {
  readonly words: string;
  /** Resolves at that moment, or when the signal reports that the process has ended. */
  readonly reached: (ended: AbortSignal) => Promise<void>;
}

/** Creates moments from random numbers. */
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
    /** A random time after the start of the process. */
    afterStart: (mostMs: number) => moment('its start', () => true, mostMs),
    /** A random time after a server was called a number of further times. */
    afterCalls: (server: ModelServer, calls: number, mostMs: number) => {
      const due = server.requests.length + calls;
      return moment(`${calls} more calls`, () => server.requests.length >= due, mostMs);
    },
    /** A random time after a folder has a number of files with an ending. */
    afterFiles: (folder: string, { end, count }: { end: string; count: number }, mostMs: number) => {
      const isThere = () => readdirSync(folder).filter((name) => name.endsWith(end)).length >= count;
      return moment(`${count} files *${end}`, isThere, mostMs);
    },
    /** A random time after a file was created or changed. */
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
