import { readFileSync, statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { hashContent, hashText } from '../content-hash.ts';

/** The files of the user that this process has read and whose change can change a result. */
const files = new Set<string>();

/** Notes that a file of the user was read: a config, a module, a prompt, knowledge, or a program. */
export function noteUserFile(file: string): void {
  files.add(file);
}

/** Lists the files that were noted so far, by absolute paths. */
export function listUserFiles(): string[] {
  return [...files];
}

const imports = /(?:\bfrom\s*|\bimport\s*\(?\s*)(["'])(\.{1,2}\/[^"'\n]+)\1/g;

/**
 * Hashes a JavaScript or TypeScript file and all files that it imports by a relative path, directly or indirectly.
 * Packages, data files that are read, and names that are computed at run time are not covered.
 */
export function hashModule(file: string): string {
  return hashContent([...readModule(file).values()].sort());
}

/** Notes that a file and all files that it imports by a relative path were read. */
export function noteModule(file: string): void {
  readModule(file);
}

/** Returns the hash of a file and of all files that it imports by a relative path, by their paths. */
function readModule(file: string): ReadonlyMap<string, string> {
  const hashes = new Map<string, string>();
  const waiting = [file];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (hashes.has(next)) continue;
    const text = readOrNothing(next);
    noteUserFile(next);
    // A checkout on Windows may have written the same file with its own line ends.
    hashes.set(next, hashText(text.replaceAll('\r\n', '\n')));
    waiting.push(...importsOf(next, text));
  }
  return hashes;
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

/**
 * Imports a TypeScript or JavaScript file of the user. A file written as an ES module is imported as one even where its
 * package says `"type": "commonjs"`, as `npm init` writes it, or no type.
 */
export async function importUserFile(file: string): Promise<Record<string, unknown>> {
  goBySyntax();
  return await import(pathToFileURL(file).href);
}

/** Returns the format of an ES module in place of the one that its package says, or that Node.js would find out with a warning. */
function formatOfModule(format: string | null | undefined, url: string): string | undefined {
  if (format === 'commonjs') return 'module';
  if (format === 'commonjs-typescript') return 'module-typescript';
  if (format !== null && format !== undefined) return undefined;
  return url.endsWith('.ts') ? 'module-typescript' : 'module';
}

let isRegistered = false;

function goBySyntax(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerHooks({
    load: (url, context, nextLoad) => {
      const format = formatOfModule(context.format, url);
      return format !== undefined && isWrittenAsModule(url)
        ? nextLoad(url, { ...context, format })
        : nextLoad(url, context);
    },
  });
}

function isWrittenAsModule(url: string): boolean {
  // The endings .cjs and .cts name the format, and packages are left as their authors tested them.
  if (!/^file:.*\.[jt]s$/.test(url) || url.includes('/node_modules/')) return false;
  const source = readFileSync(fileURLToPath(url), 'utf8');
  const isModule = /^(?:import\b(?!\s*\()|export\b)/m.test(source);
  return isModule && !/^\s*(?:module\.)?exports\b/m.test(source);
}
