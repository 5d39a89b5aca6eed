import { execFile } from 'node:child_process';
import { lstat, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from './run-cli.ts';

const root = path.resolve(import.meta.dirname, '..');
const execute = promisify(execFile);
const most = 40e6;
const unreachable = /\b(ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|E50\d)\b/;

/** Packs Touchstone and installs it in an empty project; the folder of its modules, or undefined without a registry. */
async function install(): Promise<string | undefined> {
  const folder = await temporaryFolder();
  const into = ['--ignore-scripts', '--silent', '--pack-destination', folder];
  const { stdout } = await execute('npm', ['pack', ...into], { cwd: root });
  const tarball = path.join(folder, stdout.trim().split('\n').at(-1) ?? '');
  await writeFile(path.join(folder, 'package.json'), '{}');
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=0'];
  try {
    await execute('npm', ['install', '--omit=dev', '--ignore-scripts', ...quiet, tarball], { cwd: folder });
  } catch (error) {
    if (unreachable.test((error as { stderr: string }).stderr)) return undefined;
    throw error;
  }
  return path.join(folder, 'node_modules');
}

/** Bytes that files take on a disk, by the name of the package that they are in. */
async function weigh(modules: string): Promise<Map<string, number>> {
  const weights = new Map<string, number>();
  for (const file of await readdir(modules, { recursive: true })) {
    const { size, blocks } = await lstat(path.join(modules, file));
    const name = (file.startsWith('@') ? /^[^/\\]+.[^/\\]+/ : /^[^/\\]+/).exec(file)?.[0] ?? '';
    // Where the system does not count blocks, files are taken as they are.
    weights.set(name, (weights.get(name) ?? 0) + (blocks > 0 ? blocks * 512 : size));
  }
  return weights;
}

test('an installation is at most 40 MB, and nothing in it is compiled or downloaded from elsewhere', async (context) => {
  const modules = await install();
  if (modules === undefined) return context.skip('no package registry can be reached');
  const weights = await weigh(modules);
  const total = [...weights.values()].reduce((sum, bytes) => sum + bytes, 0);
  const told = [...weights].toSorted(([, one], [, other]) => other - one).slice(0, 5);
  expect({ total, isSmall: total <= most, told }).toMatchObject({ isSmall: true });
  const files = await readdir(modules, { recursive: true });
  expect(files.filter((file) => /\.(node|so|dll|dylib|gyp)$/.test(file))).toEqual([]);
  for (const file of files.filter((name) => path.basename(name) === 'package.json')) {
    const { scripts = {}, dependencies = {} } = JSON.parse(
      await readFile(path.join(modules, file), 'utf8'),
    ) as Record<'scripts' | 'dependencies', Record<string, string> | undefined>;
    // `prepare` is for who works on a package; npm runs the others for who installs it.
    const run = ['preinstall', 'install', 'postinstall'].filter((name) => name in scripts);
    // A version or a range of versions is asked of the registry; whatever else npm takes is not.
    const elsewhere = Object.values(dependencies).filter((wanted) => /[:/]/.test(wanted));
    expect({ file, run, elsewhere }).toEqual({ file, run: [], elsewhere: [] });
  }
  if (process.env['TOUCHSTONE_WEIGHTS'] !== undefined)
    process.stdout.write(`${JSON.stringify({ total, told })}\n`);
}, 300_000);
