import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { TouchstoneError } from '../core/errors.ts';
import type { Asking } from '../server/asking.ts';
import { type WatchedMessage, watchVariable } from './watch/watched-run.ts';

/** The most that is kept of what a process prints, in UTF-16 code units. */
const longestOutput = 100_000;

/**
 * Creates the means by which pages ask questions again: processes of the same program, in the folder of this one. They end in order
 * when this one is gone: what is answered until then is stored.
 */
export function createAsking(): Asking {
  return {
    plan: async (args) => {
      const child = startCommand([...args, '--dry-run'], {});
      const [printed, complaint] = [collect(child.stdout), collect(child.stderr)];
      const [code] = (await once(child, 'close')) as [number | null];
      if (code !== 0) throw refusal(complaint());
      return printed();
    },
    start: async (args) => {
      const child = startCommand(args, { [watchVariable]: '' });
      child.stdout?.resume();
      const complaint = collect(child.stderr);
      const planned = new Promise<string>((resolve) => {
        child.on('message', (message: WatchedMessage) => {
          if (message.type === 'planned') resolve(message.run);
        });
      });
      const run = await Promise.race([planned, once(child, 'close').then(() => undefined)]);
      if (run === undefined) throw refusal(complaint());
      return run;
    },
  };
}

function startCommand(args: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Ctrl-C does not reach it: a run finishes the calls in flight once the channel to this process is closed.
    detached: true,
    env: { ...process.env, ...environment, NO_COLOR: '1', TOUCHSTONE_WRAPPED: '1' },
  });
}

/** Collects what a stream says last. Returns the function that returns it. */
function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (piece: string) => {
    text = (text + piece).slice(-longestOutput);
  });
  return () => text;
}

/** Returns the error with what a process has said last: `✗ message`, and `→ remedy` on the line below. */
function refusal(complaint: string): TouchstoneError {
  const [, message = 'The command ended without a word.', remedy] =
    /✗ ([^]*?)(?:\n\s*→ ([^]*))?$/.exec(complaint.trim()) ?? [];
  return new TouchstoneError('asking-refused', message.trim(), remedy === undefined ? {} : { remedy });
}
