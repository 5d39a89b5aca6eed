import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeOnce } from '../support/make-once.ts';

/** The root of the repository. */
export const root = path.resolve(import.meta.dirname, '..', '..');
export const execute = promisify(execFile);

const folderFor = (what: string) => (name: string) => path.join(tmpdir(), `touchstone-${what}-${name}`);

/** Packs Touchstone as `npm publish` would, once for all tests of a test run. Returns the path of the archive, which is only read. */
export async function packedArchive(): Promise<string> {
  return await makeOnce({
    folder: folderFor('packed'),
    make: async (folder) => {
      const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
      const { stdout } = await execute('npm', args, { cwd: root });
      return path.join(folder, stdout.trim().split('\n').at(-1) ?? '');
    },
  });
}

/** An installation of the packed program, by a person with an empty home. */
export interface Installation {
  /** The folder of the modules of its project. */
  readonly modules: string;
  readonly home: string;
  /** The seconds that npm took for it. */
  readonly seconds: number;
}

/** Installs the packed Touchstone in an empty project, as a user does, once for all tests of a test run. */
export async function installPacked(): Promise<Installation> {
  const made = await makeOnce({
    folder: folderFor('installed'),
    make: async (folder) => {
      const archive = await packedArchive();
      const [home, project] = [path.join(folder, 'home'), path.join(folder, 'project')];
      await mkdir(home);
      await mkdir(project);
      await writeFile(path.join(project, 'package.json'), '{}');
      const { stdout: cache } = await execute('npm', ['config', 'get', 'cache']);
      const began = performance.now();
      const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=0'];
      await execute('npm', ['install', '--omit=dev', '--ignore-scripts', ...quiet, archive], {
        cwd: project,
        env: { ...process.env, HOME: home, USERPROFILE: home, npm_config_cache: cache.trim() },
      });
      const seconds = (performance.now() - began) / 1000;
      const installation: Installation = { modules: path.join(project, 'node_modules'), home, seconds };
      return JSON.stringify(installation);
    },
  });
  return JSON.parse(made) as Installation;
}
