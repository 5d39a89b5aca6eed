import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { TouchstoneError } from '../../core/errors.ts';
import { displayPath } from '../../core/lib/text/display-path.ts';
import { nearestName } from '../../core/lib/text/nearest-name.ts';
import { noteUserFile } from '../../core/lib/user-files.ts';

/** A text with its source for messages: its file, or the setting that contains it. */
export interface SourceText {
  readonly text: string;
  readonly file: string;
}

/**
 * Reads a UTF-8 text file named by a setting, without its byte order mark. Throws `target-invalid` for one that is
 * missing, empty or not UTF-8.
 */
export async function readTextFile(shown: string, setting: string, folder: string): Promise<SourceText> {
  const file = path.resolve(folder, shown);
  noteUserFile(file);
  await checkFile({ file, shown, setting });
  const bytes = await readFile(file);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new TouchstoneError('target-invalid', `${shown} is not UTF-8 text.`, {
      remedy: 'Save it as UTF-8; `iconv -f windows-1252 -t utf-8` converts most others.',
      cause: error,
    });
  }
  if (text.trim() === '')
    throw new TouchstoneError('target-invalid', `${shown}, the \`${setting}\`, is empty.`);
  return { text, file: displayPath(file) };
}

/** A file that is named by a setting of a target. */
interface NamedFile {
  /** The absolute path. */
  readonly file: string;
  /** The path as written in the setting. */
  readonly shown: string;
  readonly setting: string;
}

/** Checks that a file exists. Throws `target-invalid` with the nearest existing name when it does not. */
export async function checkFile({ file, shown, setting }: NamedFile): Promise<void> {
  const status = await stat(file).catch(() => undefined);
  if (status?.isFile()) return;
  if (status !== undefined) {
    throw new TouchstoneError('target-invalid', `${shown} is a folder; \`${setting}\` must name a file.`);
  }
  const names = await readdir(path.dirname(file)).catch(() => []);
  const nearest = nearestName(path.basename(file), names);
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  throw new TouchstoneError('target-invalid', `There is no file ${shown}.${hint}`, {
    remedy: `Correct \`${setting}\`; it is relative to the folder of the config file.`,
  });
}
