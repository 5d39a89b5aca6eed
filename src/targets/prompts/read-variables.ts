import { TouchstoneError } from '../../errors.ts';
import { readTextFile } from '../files/read-text-file.ts';
import { reservedNames } from './compile-prompt.ts';

/** A user's own variables: texts, or the files that hold them. */
export type VariableOptions = Readonly<Record<string, string | { readonly path: string }>>;

/** Reads a user's own variables. Throws `target-invalid` for a name that has a meaning already. */
export async function readVariables(given: VariableOptions, folder: string): Promise<Map<string, string>> {
  const entries = Object.entries(given).map(async ([name, value]): Promise<[string, string]> => {
    if (reservedNames.includes(name) || /^(metadata|env)\.|[{}]|^\s|\s$/.test(name)) {
      throw new TouchstoneError('target-invalid', `\`variables.${name}\` cannot be a variable of your own.`, {
        remedy: `Give it another name; ${reservedNames.join(', ')} have a meaning already.`,
      });
    }
    if (typeof value === 'string') return [name, value];
    return [name, (await readTextFile(value.path, `variables.${name}`, folder)).text.trimEnd()];
  });
  return new Map(await Promise.all(entries));
}
