import { lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../run-cli.ts';
import { installPacked } from './pack.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';

const most = 41e6;

/** Returns the bytes that files take on a disk, by the name of the package that they are in. */
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

test.skipIf(!isReleaseTested)(
  'an installation is at most 41 MB and nothing in it is compiled or downloaded from elsewhere (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const modules = await installPacked(await temporaryFolder());
    const weights = await weigh(modules);
    const total = [...weights.values()].reduce((sum, bytes) => sum + bytes, 0);
    const heaviest = [...weights].toSorted(([, one], [, other]) => other - one).slice(0, 5);
    expect({ total, isSmall: total <= most, heaviest }).toMatchObject({ isSmall: true });
    const files = await readdir(modules, { recursive: true });
    expect(files.filter((file) => /\.(node|so|dll|dylib|gyp)$/.test(file))).toEqual([]);
    for (const file of files.filter((name) => path.basename(name) === 'package.json')) {
      const { scripts = {}, dependencies = {} } = JSON.parse(
        await readFile(path.join(modules, file), 'utf8'),
      ) as Record<'scripts' | 'dependencies', Record<string, string> | undefined>;
      // npm runs `prepare` only where a package is developed, and the others where it is installed.
      const run = ['preinstall', 'install', 'postinstall'].filter((name) => name in scripts);
      // Only a version or a range of versions comes from the registry.
      const elsewhere = Object.values(dependencies).filter((wanted) => /[:/]/.test(wanted));
      expect({ file, run, elsewhere }).toEqual({ file, run: [], elsewhere: [] });
    }
    // What is bundled is named with its license; optional packages are not bundled.
    const dist = path.join(modules, 'touchstone', 'dist');
    const { components } = JSON.parse(await readFile(path.join(dist, 'sbom.cdx.json'), 'utf8')) as {
      components: { name: string; version: string }[];
    };
    const names = components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['commander', 'hono', 'react', 'zod']));
    const manifest = await readFile(path.join(modules, 'touchstone', 'package.json'), 'utf8');
    const { peerDependencies } = JSON.parse(manifest) as { peerDependencies: object };
    expect(names.filter((name) => name in peerDependencies)).toEqual([]);
    const licenses = await readFile(path.join(dist, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const { name, version } of components) expect(licenses).toContain(`${name} ${version} (`);
    if (process.env['TOUCHSTONE_WEIGHTS'] !== undefined)
      process.stdout.write(`${JSON.stringify({ total, heaviest })}\n`);
  },
  300_000,
);
