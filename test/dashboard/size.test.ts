import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const built = path.join(import.meta.dirname, '..', '..', 'dist', 'dashboard');

/** A file in the manifest of the build, with the files that it imports at once. */
interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly isDynamicEntry?: boolean;
}

const manifest = JSON.parse(readFileSync(path.join(built, '.vite', 'manifest.json'), 'utf8')) as Record<
  string,
  Chunk
>;
const scripts = Object.entries(manifest).filter(([, { file }]) => file.endsWith('.js'));

/** Returns the names of a chunk and of all that is loaded with it. */
function loadedWith(name: string): Set<string> {
  const found = new Set([name]);
  for (const each of found) for (const other of manifest[each]?.imports ?? []) found.add(other);
  return found;
}

/** Returns the size of chunks in kB of gzip, as a server that compresses would send them. */
function sizeOf(names: Iterable<string>): number {
  const files = new Set(Array.from(names, (name) => manifest[name]?.file ?? ''));
  return Array.from(files, (file) => gzipSync(readFileSync(path.join(built, file))).length / 1000).reduce(
    (sum, size) => sum + size,
    0,
  );
}

const first = new Set(
  scripts.filter(([, { isEntry }]) => isEntry).flatMap(([name]) => [...loadedWith(name)]),
);
const pages = scripts.filter(([, { isDynamicEntry }]) => isDynamicEntry).map(([name]) => name);

test('the first page, the list of runs, needs at most 160 kB of JavaScript', () => {
  const runs = pages.find((name) => name.includes('runs-page'));
  expect(runs).toBeDefined();
  expect(sizeOf([...first, ...loadedWith(runs ?? '')])).toBeLessThanOrEqual(160);
});

test.each(pages)('%s adds at most 90 kB', (name) => {
  expect(sizeOf([...loadedWith(name)].filter((each) => !first.has(each)))).toBeLessThanOrEqual(90);
});

test('all together are at most 380 kB', () => {
  expect(sizeOf(scripts.map(([name]) => name))).toBeLessThanOrEqual(380);
});
