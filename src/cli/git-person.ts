import { execFile } from 'node:child_process';
import { personSchema } from '../core/schema/review/label.ts';

/** The longest that git is waited for, in milliseconds. */
const gitTimeoutMs = 1000;

/**
 * Reads the name that git writes into commits made in a folder. Returns undefined when there is none, and when git is not
 * installed. Never throws, since a person can also enter a name.
 */
export async function readGitPerson(folder: string): Promise<string | undefined> {
  return await new Promise((resolve) => {
    const settings = { cwd: folder, timeout: gitTimeoutMs, windowsHide: true };
    execFile('git', ['config', 'user.name'], settings, (error, stdout) => {
      const name = personSchema.safeParse(stdout.trim());
      resolve(error === null ? name.data : undefined);
    });
  });
}
