import { fileSource } from '../datasets/file-source.ts';
import { TouchstoneError } from '../errors.ts';

/** The text of a config file. Throws `config-unreadable` for what cannot be read or is no text. */
export async function readText(file: string, shown: string): Promise<string> {
  try {
    return (await Array.fromAsync(fileSource(file, shown).read())).join('');
  } catch (error) {
    if (!(error instanceof TouchstoneError)) throw error;
    const { message, remedy } = error;
    throw new TouchstoneError('config-unreadable', message, { remedy, cause: error });
  }
}
