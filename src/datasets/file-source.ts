import { createReadStream } from 'node:fs';
import { messageOf, TouchstoneError } from '../errors.ts';
import type { TextSource } from './dataset.ts';
import { decodeText } from './decode-text.ts';
import { firstLine, type PeekedText, peekText } from './peek-text.ts';

/** The text of a file. Reading throws `dataset-not-found` or `dataset-unreadable` with what is wrong with the file. */
export function fileSource(path: string, name: string): TextSource {
  const bytes = () => readBytes(path, name);
  return { name, read: () => decodeText(bytes(), name), bytes };
}

/** The bytes of a file, piece by piece, with the errors of the file system in the words of the user. */
export async function* readBytes(path: string, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: 256 * 1024 });
  } catch (error) {
    throw fileError(error, name);
  }
}

/** What an error of the file system means to the user. */
export function fileError(error: unknown, name: string): unknown {
  const code = (error as { code?: unknown } | null)?.code;
  const options = { cause: error };
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new TouchstoneError('dataset-not-found', `${name}: there is no such file`, options);
  }
  if (code === 'EISDIR') return folderError(name);
  if (code === 'EACCES' || code === 'EPERM') {
    const remedy = 'Give yourself the permission to read it, or name another file.';
    return new TouchstoneError('dataset-unreadable', `${name}: no permission to read this file`, {
      ...options,
      remedy,
    });
  }
  if (typeof code !== 'string') return error;
  return new TouchstoneError('dataset-unreadable', `${name}: ${messageOf(error)}`, options);
}

/** The error for a folder that is named where a file is meant. */
export function folderError(name: string): TouchstoneError {
  return new TouchstoneError('dataset-unreadable', `${name}: this is a folder`, {
    remedy: `Name a file in it, or a glob such as ${name.replace(/[\\/]+$/, '')}/*.jsonl.`,
  });
}

/** The text of a stream, which can be read once, and the beginning of it. */
export async function streamSource(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
): Promise<{ source: TextSource; text: PeekedText }> {
  const text = await peekText(decodeText(bytes, name), firstLine());
  let isRead = false;
  const read = () => {
    if (isRead) {
      throw new TouchstoneError('dataset-unreadable', `${name}: this can be read once only`, {
        remedy: 'Save it to a file and name that file.',
      });
    }
    isRead = true;
    return text.all;
  };
  return { source: { name, read, isReadOnce: true }, text };
}
