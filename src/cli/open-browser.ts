import { startProgram } from '../core/lib/programs/start.ts';

/** Returns whether a user is there to look at a browser: not in a build, and not when the output goes elsewhere. */
export function mayOpenBrowser(): boolean {
  return process.stdout.isTTY && !isBuild();
}

/** Returns whether this is a build, which must end by itself. */
export function isBuild(): boolean {
  const { CI } = process.env;
  return CI !== undefined && CI !== '' && CI !== 'false';
}

/** Returns the command that opens an address in the browser, on a system. Only addresses of pages are ever opened. */
export function browserCommand(
  address: string,
  platform: NodeJS.Platform,
): [string, ...string[]] | undefined {
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? '')) return undefined;
  if (platform === 'darwin') return ['open', address];
  // The command `start` of the shell would end an address at its first `&`.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', address];
  return ['xdg-open', address];
}

/** Opens an address in the browser of the user. Where there is none, the printed address is enough. */
export function openBrowser(address: string): void {
  const [program, ...args] = browserCommand(address, process.platform) ?? [];
  if (program === undefined) return;
  const child = startProgram(program, args, { stdio: 'ignore', isDetached: true });
  child.on('error', () => {});
  child.unref();
}
