import { spawn } from 'node:child_process';

/** Returns whether a user is there to look at a browser: not in a build, and not when the output goes elsewhere. */
export function mayOpenBrowser(): boolean {
  return process.stdout.isTTY && !isBuild();
}

/** Returns whether this is a build, which must end by itself. */
export function isBuild(): boolean {
  const { CI } = process.env;
  return CI !== undefined && CI !== '' && CI !== 'false';
}

/** Opens an address in the browser of the user. Where there is none, the printed address is enough. */
export function openBrowser(address: string): void {
  const programs: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
    darwin: ['open'],
    // `start` is a command of the shell; its first argument is the title of a window.
    win32: ['cmd', '/c', 'start', '""'],
  };
  const [program, ...args] = programs[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
