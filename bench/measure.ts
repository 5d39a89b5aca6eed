import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The resources that a process used from start to end. */
export interface Usage {
  readonly wallMs: number;
  /** User and system time of the whole process. */
  readonly cpuMs: number;
  readonly peakBytes: number;
}

const root = path.resolve(import.meta.dirname, '..');
const timeProgram = '/usr/bin/time';
const hasTime = existsSync(timeProgram) && spawnSync(timeProgram, ['-v', 'true']).status === 0;

/** The source of the figures of `measure`. */
export const meter: string = hasTime ? '/usr/bin/time -v' : 'process.resourceUsage()';

/** The command line, to be put before its arguments. */
export const touchstone: readonly string[] = [process.execPath, path.join(root, 'bin', 'touchstone.js')];

/** Runs `touchstone` in a separate process. Throws with its stderr when it fails. */
export function measure(args: readonly string[], folder: string): Usage {
  const [node = '', ...rest] = touchstone;
  const preload = ['--import', pathToFileURL(path.join(import.meta.dirname, 'report-usage.mjs')).href];
  return measureCommand(hasTime ? [node, ...rest, ...args] : [node, ...preload, ...rest, ...args], {
    folder,
  });
}

/** The working folder of a command, and its allowed exit codes. */
export interface Surroundings {
  readonly folder: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly exitCodes?: readonly number[];
  /** The longest that it may take; without one, it may take any time. */
  readonly timeLimitMs?: number;
}

/** Runs a command in a separate process. Throws with its stderr when it fails. */
export function measureCommand(
  command: readonly string[],
  { folder, environment = {}, exitCodes = [0], timeLimitMs }: Surroundings,
): Usage {
  const file = path.join(tmpdir(), `touchstone-usage-${process.pid}.txt`);
  const [program = '', ...words] = hasTime ? [timeProgram, '-v', '-o', file, ...command] : command;
  const start = performance.now();
  const { status, stderr } = spawnSync(program, words, {
    cwd: folder,
    env: { ...process.env, ...environment, TOUCHSTONE_BENCH_USAGE: file },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: timeLimitMs,
  });
  const wallMs = performance.now() - start;
  if (!exitCodes.includes(status ?? -1))
    throw new Error(`${command.join(' ')} ended with ${status}:\n${stderr}`);
  const text = readFileSync(file, 'utf8');
  rmSync(file);
  return { wallMs, ...(hasTime ? readTime(text) : readResourceUsage(text)) };
}

function readTime(text: string): Omit<Usage, 'wallMs'> {
  const read = (label: string): number => Number(text.split(`${label}: `)[1]?.split('\n')[0]);
  const seconds = read('User time (seconds)') + read('System time (seconds)');
  return { cpuMs: seconds * 1000, peakBytes: read('Maximum resident set size (kbytes)') * 1024 };
}

function readResourceUsage(text: string): Omit<Usage, 'wallMs'> {
  const { userCPUTime, systemCPUTime, maxRSS }: NodeJS.ResourceUsage = JSON.parse(text);
  return { cpuMs: (userCPUTime + systemCPUTime) / 1000, peakBytes: maxRSS * 1024 };
}

/** Returns the middle value; for an even number of values, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  const high = sorted[Math.floor(middle)] ?? Number.NaN;
  return (low + high) / 2;
}
