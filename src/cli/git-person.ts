import { runProgram } from '../core/lib/programs/start.ts';
import { personSchema } from '../core/schema/review/label.ts';

/** The longest that git is waited for, in milliseconds. */
const gitTimeoutMs = 1000;

/**
 * Reads the name that git writes into commits made in a folder. Returns undefined when there is none, and when git is not
 * installed. Never throws, since a person can also enter a name.
 */
export async function readGitPerson(folder: string): Promise<string | undefined> {
  const settings = { folder, timeLimitMs: gitTimeoutMs };
  const { stdout, error } = await runProgram('git', ['config', 'user.name'], settings);
  return error === null ? personSchema.safeParse(stdout.trim()).data : undefined;
}
