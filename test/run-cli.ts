import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const built = path.join(root, 'bin', 'touchstone.js');
/** The command line from source, for tests that replace parts of it. */
export const sourceProgram = path.join(root, 'src', 'cli', 'main.ts');

/** The end of a process of the command line. `code` is null when a signal ended it. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The surroundings of a process of the command line. */
export interface Start {
  /** The folder to start it in. */
  readonly cwd: string;
  /** Environment variables added to those of the tests; undefined removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Text for its standard input; empty by default. */
  readonly input?: string | Uint8Array;
  /** True to keep standard input open after that, although nothing more comes. */
  readonly isInputOpen?: boolean;
  /** The program to start; the built command line by default. */
  readonly program?: string;
  /** The user and group id to start it with, which only root may choose. */
  readonly user?: number | undefined;
  /** Called with the process after its start, for instance to send it signals. */
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

/** Creates an empty folder, which is removed after the tests of the file. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-'));
  folders.push(folder);
  return folder;
}

/** Ignores EPIPE: a command that refuses its arguments ends without reading its input. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
