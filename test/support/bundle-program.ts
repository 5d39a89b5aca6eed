import { rm } from 'node:fs/promises';
import path from 'node:path';
import { rolldown } from 'rolldown';
import manifest from '../../package.json' with { type: 'json' };
import { atFileEnd } from './file-end.ts';

/** A folder of the repository, by whose name the programs find the parts of the package, and which git ignores. */
const folder = path.resolve(import.meta.dirname, '../../.vitest/programs');
/** The packages that are loaded only where they are used, as in the build. */
const optional = Object.keys(manifest.peerDependencies);

const made = new Set<string>();
atFileEnd(async () => {
  for (const file of made) await rm(file, { force: true });
  made.clear();
});

/**
 * Joins a module of the sources and all that it imports into one file, which is removed after the tests of the test file, and returns
 * its path. A process that starts from it takes a quarter of the CPU time of one that loads a thousand sources: for programs
 * that a test starts again and again.
 */
export async function bundleProgram(source: string): Promise<string> {
  const file = path.join(folder, `${path.basename(source, '.ts')}-${process.pid}-${made.size}.mjs`);
  made.add(file);
  const bundle = await rolldown({
    input: source,
    platform: 'node',
    external: (id) => optional.some((name) => id === name || id.startsWith(`${name}/`)),
    logLevel: 'silent',
  });
  await bundle.write({ file, codeSplitting: false });
  await bundle.close();
  return file;
}
