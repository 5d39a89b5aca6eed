import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { formatPlace, messageOf, TouchstoneError } from '../errors.ts';
import { importUserFile } from '../lib/import-user-file.ts';
import { describeValue } from '../lib/describe-value.ts';
import { displayPath } from '../lib/display-path.ts';
import { placeOfImportFault } from '../lib/place-of-import-fault.ts';

/** Imports a TypeScript or JavaScript config and gives what it exports by default. Throws `config-unreadable`. */
export async function importConfig(file: string, shown: string): Promise<unknown> {
  resolveTouchstoneToItself();
  const module = await importModule(file, shown);
  const config: unknown = await module['default'];
  if (typeof config === 'object' && config !== null) return config;
  const found =
    config === undefined ? 'has no default export' : `exports ${describeValue(config)} by default`;
  throw new TouchstoneError('config-unreadable', `${shown} ${found}.`, {
    remedy: 'Write `export default defineConfig({ … })`.',
  });
}

async function importModule(file: string, shown: string): Promise<Record<string, unknown>> {
  try {
    return await importUserFile(file);
  } catch (error) {
    const place = await placeOfImportFault(error, file);
    const where = place === undefined ? shown : formatPlace({ ...place, file: displayPath(place.file) });
    const message = messageOf(error).replaceAll(pathToFileURL(file).href, shown).replaceAll(file, shown);
    throw new TouchstoneError('config-unreadable', `${where}: the config cannot be loaded: ${message}`, {
      remedy: 'Fix the file; nothing was called.',
      cause: error,
    });
  }
}

let isRegistered = false;

/** Lets a config import 'touchstone' wherever it stands, and makes it the same Touchstone that is running. */
function resolveTouchstoneToItself(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerHooks({
    resolve: (specifier, context, nextResolve) =>
      specifier === 'touchstone' || specifier.startsWith('touchstone/')
        ? nextResolve(specifier, { ...context, parentURL: import.meta.url })
        : nextResolve(specifier, context),
  });
}
