import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { messageOf, TouchstoneError } from '../../../core/errors.ts';
import { refuseHeldOut } from '../../../core/lib/held-out.ts';
import { displayPath } from '../../../core/lib/text/display-path.ts';
import { refuseDisguisedFile } from '../../../evaluate/datasets/decode-text.ts';
import type { NearbyFiles } from './content.ts';

/**
 * The most bytes that are read of one file, packed or unpacked, the most files that are listed of a folder, the most characters of
 * YAML, whose parser needs a hundred times as many bytes, and the deepest nesting of JSON.
 */
export const limits = { fileBytes: 512 * 2 ** 20, names: 20_000, yamlCharacters: 16 * 2 ** 20, depth: 1000 };

/** Lists the files of a folder and the folders in it by their paths. Throws `import-invalid` when they are too many. */
export function listFiles(full: string, name: string): string[] {
  const names: string[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(path.join(full, folder), { withFileTypes: true })) {
      const relative = path.join(folder, entry.name);
      if (entry.isDirectory() && !['node_modules', '.git'].includes(entry.name)) folders.push(relative);
      if (entry.isFile()) names.push(relative);
    }
    if (names.length > limits.names) {
      throw invalid(name, `the folder contains more than ${limits.names} files; name the one to import`);
    }
  }
  return names.toSorted();
}

/**
 * Gives access to the files of a folder, and of no other: neither by `..` nor by a link.
 * @param root - The folder that paths may lead to, in place of the folder itself. Throws `import-invalid` when it does not contain that.
 */
export function nearbyFiles(folder: string, root = folder): NearbyFiles {
  const [from, within] = [realpathSync(folder), realRoot(root)];
  const isBelow = (file: string) => file.startsWith(within.endsWith(path.sep) ? within : within + path.sep);
  if (from !== within && !isBelow(from))
    throw invalid(displayPath(within), 'the root does not contain the imported file');
  const escaped = (kind: string) =>
    `the ${kind} leads out of ${root === folder ? 'the folder of the imported file' : 'the root'}, and is not followed; \`--root DIR\` allows a folder that contains both`;
  const nearby: NearbyFiles = {
    list: () => listFiles(from, displayPath(from)),
    read: (relative) => decode(nearby.readBytes(relative), JSON.stringify(relative.slice(0, 120))),
    readBytes(relative) {
      const full = path.resolve(from, relative);
      const shown = JSON.stringify(relative.slice(0, 120));
      if (path.isAbsolute(relative) || !isBelow(full)) throw invalid(shown, escaped('path'));
      const stats = lstatSync(full, { throwIfNoEntry: false });
      if (stats === undefined) throw invalid(shown, 'there is no such file');
      if (!isBelow(realpathSync(full))) throw invalid(shown, escaped('link'));
      if (!statSync(full).isFile()) throw invalid(shown, 'it is no file');
      return unpacked(readBytes(full, shown), shown);
    },
  };
  return nearby;
}

function realRoot(root: string): string {
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw invalid(root, 'the root is no folder');
  return realpathSync(root);
}

/** Returns the bytes of a file. Throws `import-invalid` when it is too large or cannot be read. */
export function readBytes(full: string, name: string): Buffer {
  refuseHeldOut(full);
  const { size } = statSync(full);
  if (size > limits.fileBytes) throw invalid(name, `it is larger than ${limits.fileBytes / 2 ** 20} MB`);
  try {
    return readFileSync(full);
  } catch (error) {
    throw invalid(name, messageOf(error), error);
  }
}

/** Returns bytes as they are, unpacked where they are gzip. Throws `import-invalid` when they are too many or damaged. */
export function unpacked(bytes: Buffer, name: string): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: limits.fileBytes });
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    const problem = isLarge
      ? `it is larger than ${limits.fileBytes / 2 ** 20} MB when it is unpacked`
      : 'the gzip file is damaged or cut off';
    throw invalid(name, problem, error);
  }
}

/** Returns the text of bytes in UTF-8. Throws `import-invalid` for any others. */
export function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    asImportInvalid(() => refuseDisguisedFile(bytes, name));
    throw invalid(name, 'it is no text in UTF-8', error);
  }
}

/** Gives the error of a reader of datasets the code of an import. */
function asImportInvalid(check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof TouchstoneError)) throw error;
    throw new TouchstoneError('import-invalid', error.message, { remedy: error.remedy, cause: error });
  }
}

/** Returns the error for a file that cannot be imported. */
export function invalid(name: string, problem: string, cause?: unknown): TouchstoneError {
  return new TouchstoneError('import-invalid', `${name}: ${problem}.`, { cause });
}
