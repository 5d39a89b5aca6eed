import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { HostedCommand } from './cli-host.ts';
import { atFileEnd } from './support/file-end.ts';

const root = path.resolve(import.meta.dirname, '..');
/** Another program than the built command line, such as an installed one. */
const other = process.env['TOUCHSTONE_TEST_PROGRAM'];
/** The program that the tests start: the built command line, or the one that `TOUCHSTONE_TEST_PROGRAM` names. */
export const program = other ?? path.join(root, 'bin', 'touchstone.js');
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
  /** Environment variables added to the variables of the tests; undefined removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Text for its standard input; empty by default. */
  readonly input?: string | Uint8Array;
  /** True to keep standard input open after that, although nothing more comes. */
  readonly isInputOpen?: boolean;
  /** The program to start; the built command line by default. */
  readonly program?: string;
  /** True to start it without the right of the superuser to read and write every file; see {@link mayDropRights}. */
  readonly isWithoutRights?: boolean;
  /** Called with the process after its start, for instance to send it signals. */
  readonly onStarted?: (child: ChildProcess) => void | Promise<void>;
  /** True for a process of its own although no other option needs one. */
  readonly isAlone?: boolean;
}

/**
 * Executes a command of the built command line, without colours, and waits for its end. Commands share a process, which
 * saves most of their CPU time, unless an option needs a process of its own or another command is still under way.
 */
export async function touchstone(args: readonly string[], start: Start): Promise<Ended> {
  const { cwd, env } = start;
  const whole = { ...process.env, NO_COLOR: '1', ...env };
  if (needsProcess(start) || other !== undefined || host?.isBusy === true)
    return await runProcess(args, whole, start);
  host ??= startHost();
  return await host.execute({ args, cwd, env: definedOf(whole) });
}

/** Variables that Node.js or the command line reads once, when it starts. */
const readAtStart = ['GITHUB_ACTIONS', 'NODE_OPTIONS', 'PATH', 'HOME', 'TZ'];

function needsProcess({
  env = {},
  isAlone = false,
  isInputOpen,
  input,
  program,
  isWithoutRights,
  onStarted,
}: Start): boolean {
  const needing = [isInputOpen, input, program, isWithoutRights, onStarted];
  return isAlone || needing.some((option) => option !== undefined) || readAtStart.some((name) => name in env);
}

function definedOf(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** The process that the commands of a worker share; it ends with it. */
interface Host {
  readonly isBusy: boolean;
  execute(command: HostedCommand): Promise<Ended>;
}

let host: Host | undefined;

function startHost(): Host {
  const child = fork(path.join(import.meta.dirname, 'cli-host.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [],
  });
  let isBusy = false;
  return {
    get isBusy() {
      return isBusy;
    },
    execute: async (command) => {
      isBusy = true;
      return await new Promise<Ended>((resolve, reject) => {
        const onExit = (code: number | null) => {
          host = undefined;
          reject(new Error(`The process of the commands ended with ${code} in: ${command.args.join(' ')}`));
        };
        child.once('exit', onExit).once('message', (ended: Ended) => {
          child.off('exit', onExit);
          isBusy = false;
          resolve(ended);
        });
        child.send(command);
      });
    },
  };
}

/**
 * The command that takes the right to read and write every file from a program; empty where the tests do not have it. The program runs as
 * the same user, who can read this repository wherever it lies.
 */
const withoutRights =
  process.getuid?.() === 0
    ? ['setpriv', ...['bounding-set', 'inh-caps'].map((set) => `--${set}=-dac_override,-dac_read_search`)]
    : [];

/** Returns whether a program can be started here that may not write everywhere. */
export function mayDropRights(): boolean {
  const [file = 'true', ...words] = withoutRights;
  return spawnSync(file, [...words, 'true']).status === 0;
}

async function runProcess(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { cwd, input = '', isInputOpen = false, program: started = program, isWithoutRights, onStarted }: Start,
): Promise<Ended> {
  const [file = '', ...words] = [
    ...(isWithoutRights ? withoutRights : []),
    process.execPath,
    started,
    ...args,
  ];
  const child = spawn(file, words, { cwd, env });
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
atFileEnd(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
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
