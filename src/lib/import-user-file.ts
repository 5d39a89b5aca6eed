import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Imports a TypeScript or JavaScript file of the user's. What is written as an ES module is taken for one even where its package
 * says `"type": "commonjs"`, as `npm init` writes it.
 */
export async function importUserFile(file: string): Promise<Record<string, unknown>> {
  goBySyntax();
  return await import(pathToFileURL(file).href);
}

const moduleFormats = new Map([
  ['commonjs', 'module'],
  ['commonjs-typescript', 'module-typescript'],
]);

let isRegistered = false;

function goBySyntax(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerHooks({
    load: (url, context, nextLoad) => {
      const format = moduleFormats.get(context.format ?? '');
      return format !== undefined && isWrittenAsModule(url)
        ? nextLoad(url, { ...context, format })
        : nextLoad(url, context);
    },
  });
}

function isWrittenAsModule(url: string): boolean {
  // What ends in .cjs or .cts has said what it is, and packages are as their makers tested them.
  if (!/^file:.*\.[jt]s$/.test(url) || url.includes('/node_modules/')) return false;
  const source = readFileSync(fileURLToPath(url), 'utf8');
  const isModule = /^(?:import\b(?!\s*\()|export\b)/m.test(source);
  return isModule && !/^\s*(?:module\.)?exports\b/m.test(source);
}
