import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { hashContent, hashText } from '../../lib/content-hash.ts';

const imports = /(?:\bfrom\s*|\bimport\s*\(?\s*)(["'])(\.{1,2}\/[^"'\n]+)\1/g;

/**
 * Hashes what a JavaScript or TypeScript file says, and all files that it imports by a relative path, however far. Of
 * packages, of data that is read and of names that are put together while it runs, nothing is known.
 */
export async function hashModule(file: string): Promise<string> {
  const hashes = new Map<string, string>();
  await collect(file, hashes);
  return hashContent([...hashes.values()].sort());
}

async function collect(file: string, hashes: Map<string, string>): Promise<void> {
  if (hashes.has(file)) return;
  hashes.set(file, '');
  const text = await readFile(file, 'utf8').catch(() => '');
  hashes.set(file, hashText(text));
  if (!/\.[cm]?[jt]sx?$/.test(file)) return;
  for (const [, , name] of text.matchAll(imports)) {
    const imported = path.resolve(path.dirname(file), name ?? '');
    const isFile = (await stat(imported).catch(() => undefined))?.isFile();
    if (isFile) await collect(imported, hashes);
  }
}
