import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';

/** The process of the test run, which all of its workers share. */
const run = isMainThread ? process.ppid : process.pid;

/** Something that the workers of a test run share. */
export interface Shared {
  /** Returns the path of its folder, which does not exist yet, from a name that no other run has. */
  readonly folder: (name: string) => string;
  /** Makes it in the folder, and returns what the others have to know. */
  readonly make: (folder: string) => Promise<string>;
  /** The last commands of a shell, to which the folder is `$0`. */
  readonly end?: string;
}

/**
 * Returns what a maker returned that has been started once in this test run: by the first worker that asks; the others wait. Its folder is removed
 * when the test run has ended.
 */
export async function makeOnce({ folder: folderFor, make, end }: Shared): Promise<string> {
  const folder = folderFor(`of-${run}`);
  const [ready, failed] = ['made', 'failed'].map((name) => path.join(folder, name)) as [string, string];
  try {
    mkdirSync(folder);
  } catch {
    while (!existsSync(ready)) {
      if (existsSync(failed)) throw new Error(readFileSync(failed, 'utf8'));
      await pause(20);
    }
    return readFileSync(ready, 'utf8');
  }
  removeAfter(run, folder, end);
  const note = (file: string, text: string) => {
    writeFileSync(`${file}-new`, text);
    renameSync(`${file}-new`, file);
  };
  try {
    const made = await make(folder);
    note(ready, made);
    return made;
  } catch (error) {
    note(failed, String(error));
    throw error;
  }
}

/** Removes a folder once a process has ended, however it ended. A shell does something before it, to which the folder is `$0`. */
export function removeAfter(pid: number, folder: string, end = ':'): void {
  const script = `while kill -0 ${pid} 2>/dev/null; do sleep 0.5; done\n${end}\nrm -rf "$0"`;
  spawn('sh', ['-c', script, folder], { stdio: 'ignore', detached: true }).unref();
}
