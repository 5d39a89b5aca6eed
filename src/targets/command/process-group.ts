import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { randomId } from '../../lib/random-id.ts';

/** The variable by which a process and all that it starts are known, wherever they stand. */
const markVariable = 'TOUCHSTONE_PROCESS';

/** How often it is looked again: who is about to start another process may do so while the others end. */
const mostRounds = 5;

const canTell = process.platform === 'linux' && existsSync('/proc/self/environ');

/** A mark that no other process has. */
function makeMark(): string {
  return randomId();
}

/**
 * Kills all processes with one of some marks. A process that begins a session of its own (`setsid`) has left the group that
 * it was started in, and one whose parent has ended is no longer known as its child; what it was handed tells of it all the
 * same. Only Linux tells that, in `/proc`; elsewhere nothing is done.
 */
function killMarked(marks: ReadonlySet<string>): void {
  if (!canTell || marks.size === 0) return;
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
    return false; // It has ended, or is somebody else's.
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // ESRCH: it has ended, which is what was wanted.
  }
}

/** What is started, and where. */
export interface Launch {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Takes the secrets of the environment out of what it writes, before that is cut. */
  readonly redact: (text: string) => string;
}

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not even be started. */
  readonly error?: Error;
}

/** A process with all that it starts itself: they end together. */
export interface ProcessGroup {
  readonly stdin: ChildProcessWithoutNullStreams['stdin'];
  readonly stdout: ChildProcessWithoutNullStreams['stdout'];
  readonly stderr: ChildProcessWithoutNullStreams['stderr'];
  /** Fulfilled once it has ended and all its output has been read. */
  readonly ended: Promise<Ending>;
  kill(signal: NodeJS.Signals): void;
  isRunning(): boolean;
}

const isWindows = process.platform === 'win32';
const live = new Set<ProcessGroup>();

/** Of processes that have ended, of which others may be left that have begun a session of their own. */
const left = new Set<string>();
let sweeping: NodeJS.Timeout | undefined;
/** To look through all processes takes milliseconds: once for all that end within this time. */
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

/** Starts a process at the head of a group of its own. Nothing of it outlives us. */
export function startProcessGroup(launch: Launch): ProcessGroup {
  const mark = makeMark();
  const child = spawn(launch.program, launch.arguments, {
    cwd: launch.folder,
    env: { ...launch.environment, [markVariable]: mark },
    stdio: 'pipe',
    detached: !isWindows,
    windowsHide: true,
  });
  // A pipe to a process that has ended breaks; that it has ended is told by `ended`.
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

function signalGroup(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (isWindows) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // ESRCH: nobody of the group is left, which is what was wanted.
  }
}

/** How long output may still come from a helper that has left the group and holds on to its pipes. */
const outputGraceMs = 500;

async function watchEnd(child: ChildProcessWithoutNullStreams): Promise<Ending> {
  const { promise, resolve } = Promise.withResolvers<Ending>();
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

/** How a process ended, in words that follow "it ended". */
export function describeEnding({ code, signal, error }: Ending): string {
  if (error !== undefined) return `before it had begun: ${error.message}`;
  return signal === null ? `with exit code ${code}` : `by the signal ${signal}`;
}
