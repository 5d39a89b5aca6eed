import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'vitest';

/** The Python that can open terminals; empty where there is none. */
export const python =
  spawnSync('python3', ['-c', 'import pty, sys; print(sys.executable)']).stdout?.toString().trim() ?? '';

/** Starts a program on a terminal of its own, and ends with its exit code. */
const onTerminal = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';

/** The keys that a test presses. */
export const keys = { enter: '\r', down: '\u001b[B', stop: '\u0003', clear: '\u0015' };

/** A program on a terminal. */
export interface Terminal {
  /** Returns everything that was shown, without colours and movements of the cursor. */
  read(): string;
  /** Waits until something is shown that was not there when keys were pressed the last time. */
  waitFor(shown: string): Promise<void>;
  press(...pressed: readonly string[]): void;
  /** The exit code. */
  readonly ended: Promise<number>;
}

/** Starts a program on a terminal, as users do (needs python3). */
export function openTerminal(
  words: readonly string[],
  {
    cwd,
    env = {},
    size: [rows, columns] = [50, 160],
  }: {
    readonly cwd: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly size?: readonly [rows: number, columns: number];
  },
): Terminal {
  const child = spawn(
    python,
    ['-c', onTerminal, '/bin/sh', '-c', `/bin/stty rows ${rows} cols ${columns}; exec "$@"`, 'sh', ...words],
    {
      cwd,
      env: { ...process.env, NO_COLOR: '1', ...env },
    },
  );
  let text = '';
  let since = 0;
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  const read = (from = 0) => stripVTControlCharacters(text.slice(from));
  return {
    read,
    waitFor: async (shown) => await expect.poll(() => read(since)).toContain(shown),
    press: (...pressed) => {
      since = text.length;
      for (const key of pressed) child.stdin.write(key);
    },
    ended: once(child, 'exit').then(([code]) => code as number),
  };
}
