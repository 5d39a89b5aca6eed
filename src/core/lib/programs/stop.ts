import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { StartedProcess } from './start.ts';

/** Returns the command of Windows that ends a process and everything that it has started. */
export function windowsKill(
  pid: number,
  environment: Readonly<Record<string, string | undefined>>,
): [program: string, ...args: string[]] {
  // By its whole path: a program of that name elsewhere on the PATH is none of the system.
  const system = environment['SystemRoot'] ?? String.raw`C:\Windows`;
  return [path.win32.join(system, 'System32', 'taskkill.exe'), '/pid', String(pid), '/T', '/F'];
}

/** Sends a signal to a process and to the group that it leads. On Windows, there are no signals: everything is ended. */
export function signalGroup(
  { pid, exitCode, signalCode }: Pick<StartedProcess, 'exitCode' | 'pid' | 'signalCode'>,
  signal: NodeJS.Signals,
  platform = process.platform,
): void {
  if (pid === undefined) return;
  if (platform === 'win32') {
    // What a process that has ended has left behind can no longer be found.
    if (exitCode !== null || signalCode !== null) return;
    const [program, ...args] = windowsKill(pid, process.env);
    spawnSync(program, args, { stdio: 'ignore', windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: no process of the group is left.
  }
}

/** A message over the channel of a process of ours, in place of a signal. */
export interface SignalMessage {
  readonly type: 'signal';
  readonly signal: NodeJS.Signals;
}

/**
 * Asks a process of ours to end in order, as by a signal. On Windows a signal would end it at once, without a word to its handlers:
 * there it gets a message over its channel.
 */
export function askToEnd(
  child: Pick<StartedProcess, 'connected' | 'kill' | 'send'>,
  signal: NodeJS.Signals,
  platform = process.platform,
): void {
  if (platform !== 'win32') child.kill(signal);
  else if (child.connected) child.send({ type: 'signal', signal } satisfies SignalMessage, () => {});
}
