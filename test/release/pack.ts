import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
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

/** Packs Touchstone and installs it in an empty project, as a user does. Returns the folder of its modules. */
export async function installPacked(
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const tarball = await packInto(folder);
  await writeFile(path.join(folder, 'package.json'), '{}');
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=0'];
  await execute('npm', ['install', '--omit=dev', '--ignore-scripts', ...quiet, tarball], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  return path.join(folder, 'node_modules');
}
