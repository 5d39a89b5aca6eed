import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { hashContent, hashText } from './content-hash.ts';

const imports = /(?:\bfrom\s*|\bimport\s*\(?\s*)(["'])(\.{1,2}\/[^"'\n]+)\1/g;

/**
 * Hashes what a JavaScript or TypeScript file says, and all files that it imports by a relative path, however far. Of
 * packages, of data that is read and of names that are put together while it runs, nothing is known.
 */
export function hashModule(file: string): string {
  const hashes = new Map<string, string>();
  const waiting = [file];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (hashes.has(next)) continue;
    const text = readOrNothing(next);
    hashes.set(next, hashText(text));
    waiting.push(...importsOf(next, text));
  }
  return hashContent([...hashes.values()].sort());
}

function importsOf(file: string, text: string): string[] {
  if (!/\.[cm]?[jt]sx?$/.test(file)) return [];
  const named = Array.from(text.matchAll(imports), ([, , name]) =>
    path.resolve(path.dirname(file), name ?? ''),
  );
  return named.filter((imported) => statSync(imported, { throwIfNoEntry: false })?.isFile());
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
