import { constants, createReadStream, type Stats } from 'node:fs';
import { glob, open, readdir, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf, TouchstoneError } from '../../core/errors.ts';
import { refuseHeldOut } from '../../core/lib/held-out.ts';
import { displayPath } from '../../core/lib/text/display-path.ts';
import { nearestName } from '../../core/lib/text/nearest-name.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import type { TextSource } from './dataset.ts';
import { decodeText } from './decode-text.ts';
import { firstLine, type PeekedText, peekText } from './peek-text.ts';

/**
 * Returns the text of a file. Reading throws `dataset-not-found` or `dataset-unreadable` with what is wrong with the
 * file.
 */
export function fileSource(path: string, name: string): TextSource {
  const bytes = () => readBytes(path, name);
  return { name, read: () => decodeText(bytes(), name), bytes };
}

/** Yields the bytes of a file in pieces. Errors of the file system are described in plain words. */
export async function* readBytes(path: string, name: string): AsyncGenerator<Uint8Array> {
  refuseHeldOut(path);
  try {
    const options = { highWaterMark: 256 * 1024 };
    yield* (await stat(path)).isFIFO()
      ? (await openPipe(path, name)).createReadStream(options)
      : createReadStream(path, options);
  } catch (error) {
    throw fileError(error, name);
  }
}

/** Translates an error of the file system for the user. */
export function fileError(error: unknown, name: string): unknown {
  if (error instanceof TouchstoneError) return error;
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

/** The milliseconds that a named pipe has until something writes to it. */
const pipeWaitMs = 5000;

/** Opens a named pipe, such as the one of `<(command)` in a shell. One that nothing writes to would be waited for without end. */
async function openPipe(path: string, name: string): Promise<FileHandle> {
  const opening = open(path);
  const opened = await Promise.race([opening, wait(pipeWaitMs, undefined, { ref: false })]);
  if (opened !== undefined) return opened;
  // Only a writer ends the opening: this one comes and goes.
  await (await open(path, constants.O_WRONLY | constants.O_NONBLOCK)).close();
  await (await opening).close();
  throw new TouchstoneError('dataset-unreadable', `${name}: this is a named pipe, and nothing writes to it`, {
    remedy: `Name a file, or save what comes out of the pipe to one first: cat ${name} > golden.jsonl`,
  });
}

/** Returns the error for a folder where a file is expected. */
function folderError(name: string): TouchstoneError {
  return new TouchstoneError('dataset-unreadable', `${name}: this is a folder`, {
    remedy: `Name a file in it, or a glob such as ${name.replace(/[\\/]+$/, '')}/*.jsonl.`,
  });
}

/** Returns the text of a stream, which can be read once, and its beginning. */
export async function streamSource(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
): Promise<{ source: TextSource; text: PeekedText }> {
  const text = await peekText(decodeText(bytes, name), firstLine());
  let isRead = false;
  const read = () => {
    if (isRead) {
      throw new TouchstoneError('dataset-unreadable', `${name}: this can be read only once`, {
        remedy: 'Save it to a file and name that file.',
      });
    }
    isRead = true;
    return text.all;
  };
  return { source: { name, read, isReadOnce: true }, text };
}

/** The path that means standard input. */
export const standardInput = '-';

/** An existing file of a dataset. */
export interface FoundFile {
  /** The name as the user can type or click it in the current folder; safe to print. */
  readonly name: string;
  readonly path: string;
  /** True for a pipe or a device, which can be read only once. */
  readonly isStream: boolean;
}

/**
 * Finds the files that paths and globs name, relative to a folder: in the given order, the matches of a glob sorted,
 * each file once. Throws `dataset-not-found` for a path without a file and a glob without a match.
 */
export async function findFiles(paths: readonly string[], folder: string): Promise<FoundFile[]> {
  const found = new Map<string, FoundFile>();
  for (const named of paths) {
    for (const file of await findNamed(named, folder)) {
      if (!found.has(file.path)) found.set(file.path, file);
    }
  }
  return [...found.values()];
}

async function findNamed(named: string, folder: string): Promise<FoundFile[]> {
  if (named === standardInput) return [{ name: '<stdin>', path: standardInput, isStream: true }];
  const absolute = path.resolve(folder, named);
  const stats = await statOf(absolute);
  if (stats !== undefined) {
    if (stats.isDirectory()) throw folderError(nameOf(absolute));
    return [foundFile(absolute, stats)];
  }
  return /[*?[\]{}]/.test(named) ? findMatches(absolute) : refuseMissing(absolute);
}

async function findMatches(pattern: string): Promise<FoundFile[]> {
  const files: FoundFile[] = [];
  for await (const match of glob(pattern)) {
    const stats = await statOf(match);
    if (stats?.isFile()) files.push(foundFile(match, stats));
  }
  // The same order on every system: `\` sorts after letters, and `/` before them.
  const place = (file: FoundFile) => file.path.replaceAll(path.sep, '/');
  if (files.length > 0) return files.sort((a, b) => (place(a) < place(b) ? -1 : 1));
  throw new TouchstoneError('dataset-not-found', `${nameOf(pattern)}: no file matches`);
}

async function statOf(absolute: string): Promise<Stats | undefined> {
  try {
    return await stat(absolute);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EINVAL') return undefined;
    throw fileError(error, nameOf(absolute));
  }
}

function foundFile(absolute: string, stats: Stats): FoundFile {
  return { name: nameOf(absolute), path: absolute, isStream: !stats.isFile() };
}

function nameOf(absolute: string): string {
  return toTerminalText(displayPath(absolute));
}

async function refuseMissing(absolute: string): Promise<never> {
  const folder = path.dirname(absolute);
  const others = await readdir(folder).catch(() => undefined);
  if (others === undefined) {
    throw new TouchstoneError(
      'dataset-not-found',
      `${nameOf(absolute)}: there is no folder ${nameOf(folder)}`,
    );
  }
  const nearest = nearestName(path.basename(absolute), others);
  const remedy =
    nearest === undefined ? {} : { remedy: `Did you mean ${nameOf(path.join(folder, nearest))}?` };
  throw new TouchstoneError('dataset-not-found', `${nameOf(absolute)}: there is no such file`, remedy);
}
