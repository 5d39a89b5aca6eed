import { execFile } from 'node:child_process';

/** Longer than that a run does not wait. */
const timeoutMs = 1000;
const mostOutput = 4096;

/**
 * Whether tracked files of a work tree differ from its commit; null when git is not there, or not done in time. Files that
 * are not tracked do not count: reports and stores are such.
 */
export async function isWorkTreeChanged(top: string): Promise<boolean | null> {
  // No lock is taken that another git would have to wait for, and no program is started that the repository names.
  const options = ['--no-optional-locks', '-c', 'core.fsmonitor=false'];
  const command = [...options, 'status', '--porcelain', '--untracked-files=no', '--no-renames'];
  return await new Promise((resolve) => {
    const settings = { cwd: top, timeout: timeoutMs, maxBuffer: mostOutput, windowsHide: true };
    execFile('git', command, settings, (error, stdout) => {
      if (error === null || isTooMuch(error)) resolve(stdout.trim() !== '');
      else resolve(null);
    });
  });
}

function isTooMuch({ code }: { readonly code?: unknown }): boolean {
  return code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER';
}
