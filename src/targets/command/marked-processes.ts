import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { randomId } from '../../lib/random-id.ts';

/** The variable by which a process and all that it starts are known, wherever they stand. */
export const markVariable = 'TOUCHSTONE_PROCESS';

/** How often it is looked again: who is about to start another process may do so while the others end. */
const mostRounds = 5;

const canTell = process.platform === 'linux' && existsSync('/proc/self/environ');

/** A mark that no other process has. */
export function makeMark(): string {
  return randomId();
}

/**
 * Kills all processes with one of some marks. A process that begins a session of its own (`setsid`) has left the group that
 * it was started in, and one whose parent has ended is no longer known as its child; what it was handed tells of it all the
 * same. Only Linux tells that, in `/proc`; elsewhere nothing is done.
 */
export function killMarked(marks: ReadonlySet<string>): void {
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
