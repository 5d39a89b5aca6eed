import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const built = path.join(root, 'bin', 'touchstone.js');
/** The command line before it is built, for tests that change what is in it. */
export const sourceProgram = path.join(root, 'src', 'cli', 'main.ts');

/** How a run of the command line ended. `code` is null when a signal ended it. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where and how to start the command line. */
export interface Start {
  /** The folder to start it in. */
  readonly cwd: string;
  /** Environment variables beside those of the tests; undefined takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What to write to its standard input; nothing when left out. */
  readonly input?: string | Uint8Array;
  /** Whether more may come on standard input after that, which never does. */
  readonly isInputOpen?: boolean;
  /** Which command line; the built one when left out. */
  readonly program?: string;
  /** The id of the user, and of the group, who starts it; only some may start processes as somebody else. */
  readonly user?: number | undefined;
  /** Told the process once it is started, for instance to send it signals. */
  readonly onStarted?: (child: ChildProcess) => void | Promise<void>;
}

/** Starts the built command line as a process of its own, without colours, and waits for its end. */
export async function touchstone(
  args: readonly string[],
  { cwd, env, input = '', isInputOpen = false, program = built, user, onStarted }: Start,
): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
    ...(user !== undefined && { uid: user, gid: user }),
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  child.stdin.on('error', ignoreClosedPipe).write(input);
  if (!isInputOpen) child.stdin.end();
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  const [code] = await Promise.all([ended, onStarted?.(child)]);
  return { code, ...output };
}

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** A new empty folder, for a test or for all of a file; it is removed after the tests of the file. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-'));
  folders.push(folder);
  return folder;
}

/** A command that answers bad usage ends without reading its input: that is its right. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
