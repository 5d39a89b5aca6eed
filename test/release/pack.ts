import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

/** The root of the repository. */
export const root = path.resolve(import.meta.dirname, '..', '..');
export const execute = promisify(execFile);

/** Packs Touchstone as `npm publish` would and returns the path of the archive in the folder. */
export async function packInto(folder: string): Promise<string> {
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  const { stdout } = await execute('npm', args, { cwd: root });
  return path.join(folder, stdout.trim().split('\n').at(-1) ?? '');
}
