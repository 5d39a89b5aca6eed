import { type ChildProcess, execFile, execFileSync, spawn, type SpawnOptions } from 'node:child_process';
import { planWindowsStart } from './windows-program.ts';

/** A process that this one has started. */
export type StartedProcess = ChildProcess;

/** The surroundings of a program. */
export interface StartSettings extends Pick<SpawnOptions, 'serialization' | 'stdio'> {
  /** The folder that it runs in; the current one by default. */
  readonly folder?: string;
  /** Its environment; by default the one of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /**
   * True for a program that leads a group of processes of its own, which Ctrl-C in the terminal does not reach. On Windows it would
   * get a window instead, and stays with the others.
   */
  readonly isDetached?: boolean;
}

/** Starts a program. All programs of the user and of the system are started here, without a shell wherever that is possible. */
export function startProgram(
  program: string,
  args: readonly string[],
  { folder, environment = process.env, isDetached = false, ...settings }: StartSettings,
  platform = process.platform,
): StartedProcess {
  const isWindows = platform === 'win32';
  const planned = isWindows
    ? planWindowsStart(program, args, { folder: folder ?? process.cwd(), environment, isPython3 })
    : { program, arguments: args, isQuoted: false };
  return spawn(planned.program, planned.arguments, {
    ...settings,
    cwd: folder,
    env: environment,
    detached: isDetached && !isWindows,
    windowsHide: true,
    windowsVerbatimArguments: planned.isQuoted,
  });
}

/** Returns whether a `python.exe` is Python 3.9 or newer, by asking it. */
export function isPython3(file: string): boolean {
  try {
    execFileSync(file, ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))'], {
      stdio: 'ignore',
      windowsHide: true,
    });
    return true;
  } catch {
    return false;
  }
}

/** The end of a program that was run for what it prints. */
export interface ProgramResult {
  readonly stdout: string;
  readonly stderr: string;
  /** Why it failed: it was not found, took too long, printed too much, or ended with another code than 0. Null if it did not. */
  readonly error: (Error & { readonly code?: number | string | null }) | null;
}

/** Limits of a program that is run for what it prints. */
export interface RunSettings {
  readonly folder?: string;
  readonly timeLimitMs?: number;
  readonly mostOutput?: number;
  /** True for a command line of the user, which the shell of the system reads. */
  readonly isShellLine?: boolean;
}

/** Runs a program to its end and returns what it has printed. Never rejects. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { folder, timeLimitMs = 0, mostOutput = 1_048_576, isShellLine = false }: RunSettings = {},
): Promise<ProgramResult> {
  const { promise, resolve } = Promise.withResolvers<ProgramResult>();
  execFile(
    program,
    args,
    { cwd: folder, timeout: timeLimitMs, maxBuffer: mostOutput, shell: isShellLine, windowsHide: true },
    (error, stdout, stderr) => resolve({ stdout, stderr, error }),
  );
  return await promise;
}

/** Runs a program to its end and returns what it has printed, without white space around it. Rejects when it fails. */
export async function readProgram(
  program: string,
  args: readonly string[],
  settings?: RunSettings,
): Promise<string> {
  const { stdout, error } = await runProgram(program, args, settings);
  if (error !== null) throw error;
  return stdout.trim();
}
