import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { TouchstoneError } from '../../errors.ts';
import type { LlamaPackage } from './llama-package.ts';

/**
 * Imports node-llama-cpp, from where the config stands or from beside Touchstone. Throws `package-missing` with the
 * command that installs it.
 */
export async function loadPackage(folder: string): Promise<LlamaPackage> {
  const found = findIn(path.join(path.resolve(folder), 'package.json')) ?? findIn(import.meta.url);
  if (found === undefined) throw missing();
  return (await import(pathToFileURL(found).href)) as LlamaPackage;
}

function findIn(from: string): string | undefined {
  try {
    return createRequire(from).resolve('node-llama-cpp');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

function missing(): TouchstoneError {
  return new TouchstoneError(
    'package-missing',
    'A local GGUF model needs the package node-llama-cpp, which is not installed.',
    {
      remedy:
        'Run `npm install node-llama-cpp` (0.7 GB with GPU support), or ' +
        '`npm install --omit=optional node-llama-cpp` and the `@node-llama-cpp/…` package of your platform (85 MB).',
    },
  );
}
