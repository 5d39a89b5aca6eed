import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { messageOf, TouchstoneError } from '../errors.ts';

/** Imports a TypeScript or JavaScript config and gives what it exports by default. Throws `config-unreadable`. */
export async function importConfig(file: string, shown: string): Promise<unknown> {
  resolveTouchstoneToItself();
  const module = await import(pathToFileURL(file).href).catch((error: unknown) => {
    throw new TouchstoneError(
      'config-unreadable',
      `${shown} cannot be loaded: ${describe(error, file, shown)}`,
      {
        cause: error,
      },
    );
  });
  if (module.default === undefined) {
    throw new TouchstoneError('config-unreadable', `${shown} has no default export.`, {
      remedy: 'Write `export default defineConfig({ … })`.',
    });
  }
  return await module.default;
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

/** The message, with the first place of the stack that is in the config file. */
function describe(error: unknown, file: string, shown: string): string {
  const message = messageOf(error).replaceAll(pathToFileURL(file).href, shown).replaceAll(file, shown);
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const [, line] = stack.split(`${file}:`)[1]?.match(/^(\d+)/) ?? stack.match(/:(\d+)(?::\d+)?\)?$/m) ?? [];
  const isOurs = stack.includes(file);
  return isOurs && line !== undefined ? `${message} (line ${line})` : message;
}
