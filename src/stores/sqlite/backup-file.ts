import { createHash, type Hash } from 'node:crypto';
import { closeSync, createReadStream, createWriteStream, existsSync, mkdirSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { messageOf, TouchstoneError } from '../../core/errors.ts';
import { moveFile, partOf } from '../../core/lib/files/replace-file.ts';
import { displayPath } from '../../core/lib/text/display-path.ts';
import { explainFault } from './explain-fault.ts';

/** The number by which SQLite, and the program `file`, know a backup: "TSbk". */
const applicationId = 0x54_53_62_6b;

/** The layout of backups. */
const layout = 1;

/** The bytes of a file that are compressed, and held in memory, at a time. */
const partBytes = 4 * 2 ** 20;
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

const tables = `PRAGMA journal_mode = OFF; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${layout};
  BEGIN;
  CREATE TABLE made (at TEXT NOT NULL, touchstone TEXT NOT NULL);
  CREATE TABLE files (name TEXT NOT NULL PRIMARY KEY, bytes INTEGER NOT NULL, sha256 TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE parts (name TEXT NOT NULL, number INTEGER NOT NULL, content BLOB NOT NULL, UNIQUE (name, number));`;

/** The names of files in a backup: the parts of the store of a server, and of the stores of its projects. */
const allowedName =
  /^(?:projects\/[a-z][a-z0-9-]{0,30}\/)?(?:touchstone\.db|blobs\/[0-9a-f]{2}\/[0-9a-f]{1,126})$/;

/** Adds a file to a backup under a name. */
export type AddFile = (name: string, file: string) => Promise<void>;

/** A backup as it describes itself. */
export interface BackupHead {
  /** The time at which it was begun, ISO 8601. */
  readonly at: string;
  /** The version of Touchstone that made it. */
  readonly touchstone: string;
}

/**
 * Writes a backup, one SQLite file with the compressed parts of each file and its SHA-256, completely or not at all. Throws `output-unwritable`
 * where there is a file already: an earlier backup is never replaced.
 */
export async function writeBackup(
  file: string,
  head: BackupHead,
  fill: (add: AddFile) => Promise<void>,
): Promise<void> {
  if (existsSync(file)) throw unwritable(file, 'there is a file of that name', 'Name a new file.');
  const begun = partOf(file);
  try {
    const database = createDatabase(begun, file);
    try {
      database.exec(tables);
      database.prepare('INSERT INTO made VALUES (?, ?)').run(head.at, head.touchstone);
      await fill(async (name, source) => await addFile(database, name, source));
      database.exec('COMMIT');
    } finally {
      database.close();
    }
    await moveFile(begun, file);
  } finally {
    await rm(begun, { force: true });
  }
}

function createDatabase(begun: string, file: string): DatabaseSync {
  try {
    // It contains what the stores contain, so that it is for its owner alone, too.
    closeSync(openSync(begun, 'wx', 0o600));
    return new DatabaseSync(begun);
  } catch (error) {
    throw unwritable(file, messageOf(error), 'Name a file in a folder that can be written to.');
  }
}

function unwritable(file: string, why: string, remedy: string): TouchstoneError {
  return new TouchstoneError('output-unwritable', `${displayPath(file)} cannot be written: ${why}.`, {
    remedy,
  });
}

async function addFile(database: DatabaseSync, name: string, source: string): Promise<void> {
  const addPart = database.prepare('INSERT INTO parts VALUES (?, ?, ?)');
  const hash = createHash('sha256');
  let [bytes, number] = [0, 0];
  for await (const read of createReadStream(source, { highWaterMark: partBytes })) {
    const piece = read as Buffer;
    hash.update(piece);
    bytes += piece.length;
    addPart.run(name, (number += 1), zstdCompressSync(piece, compression));
  }
  database.prepare('INSERT INTO files VALUES (?, ?, ?)').run(name, bytes, hash.digest('hex'));
}

/**
 * Writes the files of a backup into a folder, and compares each with its SHA-256. Returns the names. Throws `import-invalid` for a file that is
 * no backup, or that was damaged or changed.
 */
export async function extractBackup(
  file: string,
  folder: string,
): Promise<{ readonly head: BackupHead; readonly names: readonly string[] }> {
  const database = openBackup(file);
  try {
    const [head] = database.prepare('SELECT at, touchstone FROM made').all() as unknown as BackupHead[];
    const files = database.prepare('SELECT name, bytes, sha256 FROM files ORDER BY name').all();
    for (const { name, bytes, sha256 } of files) {
      if (typeof name !== 'string' || !allowedName.test(name))
        throw invalid(file, `it has a file of the name ${JSON.stringify(name)}`);
      const target = path.join(folder, name);
      mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
      const hash = createHash('sha256');
      const written = createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true });
      await pipeline(readParts(database, name, hash), written);
      if (hash.digest('hex') !== sha256 || written.bytesWritten !== bytes)
        throw invalid(file, `its ${name} is not as it was written`);
    }
    if (head === undefined || files.length === 0) throw invalid(file, 'it has no files');
    return { head, names: files.map(({ name }) => String(name)) };
  } catch (error) {
    if (error instanceof TouchstoneError || !isOfContent(error)) throw error;
    throw invalid(file, messageOf(error));
  } finally {
    database.close();
  }
}

function* readParts(database: DatabaseSync, name: string, hash: Hash): Generator<Uint8Array> {
  for (const { content } of database
    .prepare('SELECT content FROM parts WHERE name = ? ORDER BY number')
    .iterate(name)) {
    const piece = zstdDecompressSync(content as Uint8Array, { maxOutputLength: partBytes });
    hash.update(piece);
    yield piece;
  }
}

/** Returns whether an error says that a backup cannot be read, and not that its files cannot be written. */
function isOfContent(error: unknown): boolean {
  const code = String(Object(error).code);
  return code === 'ERR_SQLITE_ERROR' || code.startsWith('ZSTD') || code === 'ERR_BUFFER_TOO_LARGE';
}

function openBackup(file: string): DatabaseSync {
  if (!existsSync(file)) throw invalid(file, 'there is no such file');
  const database = new DatabaseSync(file, { readOnly: true });
  const read = (name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
  try {
    if (read('application_id') !== applicationId) throw invalid(file, 'it is no backup');
    if (read('user_version') > layout) throw invalid(file, 'a newer Touchstone wrote it: update this one');
    return database;
  } catch (error) {
    database.close();
    throw error instanceof TouchstoneError ? error : invalid(file, 'it is no backup');
  }
}

function invalid(file: string, why: string): TouchstoneError {
  return new TouchstoneError('import-invalid', `${displayPath(file)} cannot be restored: ${why}.`, {
    remedy: 'Name a file that `touchstone backup` wrote, such as an earlier one.',
  });
}

/** Copies the file of a store as it is at one moment, while other processes may write to it. Throws `store-unreadable`. */
export async function copyStoreFile(file: string, to: string): Promise<void> {
  try {
    const source = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
    try {
      closeSync(openSync(to, 'wx', 0o600));
      // All pages in one step: in several, it would begin again whenever another process has written.
      await backup(source, to, { rate: 2 ** 31 - 1 });
    } finally {
      source.close();
    }
  } catch (error) {
    throw explainFault(error, file);
  }
}
