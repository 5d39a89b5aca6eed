import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { TouchstoneError } from '../../core/errors.ts';
import { displayPath } from '../../core/lib/text/display-path.ts';
import { noteUserFile } from '../../core/lib/user-code/user-files.ts';
import { checkFile } from '../../core/lib/user-code/user-functions.ts';

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
  checkFile({ file, shown }, setting, 'target-invalid');
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
