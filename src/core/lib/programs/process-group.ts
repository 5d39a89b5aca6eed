import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { randomId } from '../random-id.ts';
import { type StartedProcess, startProgram } from './start.ts';
import { signalGroup } from './stop.ts';

/** The program to start, with its arguments and surroundings. */
export interface Launch {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Removes the secrets of the environment from the program's output, before that is cut. */
  readonly redact: (text: string) => string;
}

/** The end of a process. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The reason why the process could not be started. */
  readonly error?: Error;
}

/** A process with all processes that it starts: they end together. */
export interface ProcessGroup {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Fulfilled once the process has ended and all its output has been read. */
  readonly ended: Promise<ProcessExit>;
  kill(signal: NodeJS.Signals): void;
  isRunning(): boolean;
}

/** A process whose input and output are pipes. */
type PipedProcess = StartedProcess & Pick<ProcessGroup, 'stderr' | 'stdin' | 'stdout'>;

/** The groups that are running. */
const live = new Set<ProcessGroup>();

/** The marks of processes that have ended. Processes with these marks may be left, in sessions of their own. */
const left = new Set<string>();

/** Starts a process as the leader of a group of its own. None of the group outlives Touchstone. */
export function startProcessGroup(launch: Launch): ProcessGroup {
  const mark = randomId();
  const child = startProgram(launch.program, launch.arguments, {
    folder: launch.folder,
    environment: { ...launch.environment, [markVariable]: mark },
    stdio: 'pipe',
    isDetached: true,
  }) as PipedProcess;
  // A pipe to a process that has ended breaks; `ended` already reports the end.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {});
  const { stdin, stdout, stderr } = child;
  const group: ProcessGroup = {
    stdin,
    stdout,
    stderr,
    ended: watchEnd(child),
    kill: (signal) => {
      signalGroup(child, signal);
      if (signal === 'SIGKILL') left.add(mark);
    },
    isRunning: () => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
  };
  if (live.size + left.size === 0) process.on('exit', killAll);
  live.add(group);
  void group.ended.then(() => {
    live.delete(group);
    sweepSoon(mark);
  });
  return group;
}

/** The time for which output may still arrive from a helper that has left the group and keeps its pipes open. */
const outputGraceMs = 500;

async function watchEnd(child: PipedProcess): Promise<ProcessExit> {
  const { promise, resolve } = Promise.withResolvers<ProcessExit>();
  child.once('error', (error) => {
    if (child.pid === undefined) resolve({ code: null, signal: null, error });
  });
  child.once('exit', (code, signal) => {
    signalGroup(child, 'SIGKILL');
    const finish = () => {
      clearTimeout(timer);
      resolve({ code, signal });
    };
    const timer = setTimeout(() => {
      child.stdout.destroy();
      child.stderr.destroy();
      finish();
    }, outputGraceMs);
    child.once('close', finish);
  });
  return await promise;
}

/**
 * Ends a group: it closes its stdin first, then sends SIGTERM and SIGKILL, with the time limit for each step. On Windows, where there
 * are no signals, the group is ended after the first step.
 * @param ended - What is fulfilled at its end; the end of the group itself by default.
 */
export async function endGroup(
  group: ProcessGroup,
  timeLimitMs: number,
  ended: Promise<unknown> = group.ended,
): Promise<void> {
  group.stdin.end();
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (await settlesWithin(ended, timeLimitMs)) return;
    group.kill(signal);
  }
  await ended;
}

/** Returns whether a promise is fulfilled within so many milliseconds. */
export async function settlesWithin(promise: Promise<unknown>, timeMs: number): Promise<boolean> {
  const { promise: timedOut, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, timeMs, false);
  try {
    return await Promise.race([promise.then(() => true), timedOut]);
  } finally {
    clearTimeout(timer);
  }
}

/** Describes the end of a process in words that follow "it ended". */
export function describeExit({ code, signal, error }: ProcessExit): string {
  if (error !== undefined) return `before it had begun: ${error.message}`;
  return signal === null ? `with exit code ${code}` : `by the signal ${signal}`;
}

let sweeping: NodeJS.Timeout | undefined;

/** The delay of a search through all processes, which takes milliseconds: one search serves all that end within this time. */
const sweepAfterMs = 500;

function killAll(): void {
  for (const group of live) group.kill('SIGKILL');
  sweep();
}

function sweep(): void {
  clearTimeout(sweeping);
  sweeping = undefined;
  killMarked(left);
  left.clear();
  if (live.size === 0) process.off('exit', killAll);
}

function sweepSoon(mark: string): void {
  left.add(mark);
  sweeping ??= setTimeout(sweep, sweepAfterMs).unref();
}

/** The environment variable that marks a process and everything it starts, wherever they run. */
const markVariable = 'TOUCHSTONE_PROCESS';

/** The most searches for marked processes: a process may start another one while it is being killed. */
const mostRounds = 5;

const hasProcFiles = process.platform === 'linux' && existsSync('/proc/self/environ');

/**
 * Kills all processes that have one of the marks. A process that starts a session of its own (`setsid`) has left its
 * group, and one whose parent has ended is no longer known as its child, but both keep the mark in their environment.
 * Only Linux shows the environment of processes, in `/proc`; elsewhere this does nothing.
 */
function killMarked(marks: ReadonlySet<string>): void {
  if (!hasProcFiles || marks.size === 0) return;
  for (let round = 0; round < mostRounds; round += 1) {
    const found = findMarked(marks);
    if (found.length === 0) return;
    for (const pid of found) kill(pid);
  }
}

function findMarked(marks: ReadonlySet<string>): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isMarked(name, marks))
    .map(Number);
}

function isMarked(pid: string, marks: ReadonlySet<string>): boolean {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
    const start = `\0${environment}`.indexOf(`\0${markVariable}=`);
    if (start === -1) return false;
    const [value = ''] = environment.slice(start + markVariable.length + 1).split('\0', 1);
    return marks.has(value);
  } catch {
    return false; // The process has ended, or belongs to another user.
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // ESRCH: the process has already ended.
  }
}
