import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { messageOf, TouchstoneError } from '../../../core/errors.ts';
import {
  type AttachmentSource,
  decodeBase64,
  fileBounds,
  plainFileName,
} from '../../../core/attachments/read-source.ts';
import {
  declaredType,
  describeOther,
  sniffedBytes,
  sniffMedia,
  titleOf,
} from '../../../core/attachments/sniff-media.ts';
import { DownloadRefusal, fetchPublic } from '../../../core/lib/network/fetch-public.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import type { Attachment } from '../../../core/schema/message.ts';
import type { CaseDraft, DraftedAttachment, PlacedAttachment } from '../dataset.ts';
import { pathWithin } from '../../../core/lib/files/path-within.ts';

const mebibyte = 1024 * 1024;
const { bytes: mostBytes, bytesOfMessage: mostBytesOfCase, files: mostFilesOfCase } = fileBounds;
const downloadLimitMs = 30_000;
const longestShown = 120;

/** Where files are looked for. */
export interface AttachmentPlaces {
  /** The folder of the dataset, from which paths start. */
  readonly folder: string;
  /** The folder of the config: paths lead no further out than this folder or the folder of the dataset. */
  readonly configFolder: string;
  /** True to fetch also from addresses of one's own network. */
  readonly allowPrivate?: boolean;
}

/** A file that was read, and how to read it again. */
interface KnownFile extends DraftedAttachment {
  readonly bytes: number;
  /** Undefined for bytes that are in the dataset itself. */
  readonly name?: string;
  /** The state of a file on disk when it was read. */
  readonly state?: string;
}

/** Reads the files that cases name, each file and address once for all cases. */
export type AttachmentReader = (draft: CaseDraft) => Promise<CaseDraft>;

/** A file that cannot be used: a clause that says why, and what to do about it. */
class FileRefusal extends Error {
  readonly remedy: string | undefined;

  constructor(message: string, remedy?: string) {
    super(message);
    this.remedy = remedy;
  }
}

/**
 * Creates the reader of the files that the cases of a dataset name. It puts their hashes and types into the messages; a file that cannot
 * be used becomes the problem of its row.
 */
export function createAttachmentReader(places: AttachmentPlaces): AttachmentReader {
  const known = new Map<string, KnownFile>();
  return async (draft) => {
    if (draft.named === undefined) return draft;
    const refuse = (
      { path: at }: PlacedAttachment,
      what: string,
      { remedy }: Pick<FileRefusal, 'remedy'>,
    ) => {
      const { place, field } = draft.locate(at);
      return { ...draft, problem: { place, message: `${field}: ${what}`, ...(remedy && { remedy }) } };
    };
    const read: KnownFile[] = [];
    let size = 0;
    for (const each of draft.named) {
      const { source } = each.draft;
      try {
        const file = await readFile(source, { ...places, known });
        size += file.bytes;
        if (size > mostBytesOfCase || read.push(file) > mostFilesOfCase) throw tooMuch(size);
        putInto(each, file);
      } catch (error) {
        if (!(error instanceof FileRefusal) && !(error instanceof DownloadRefusal)) throw error;
        return refuse(each, `${shownName(source)} ${error.message}`, error);
      }
    }
    return {
      ...draft,
      attachments: read.map(({ hash, mediaType, read: again }) => ({ hash, mediaType, read: again })),
    };
  };
}

function tooMuch(size: number): FileRefusal {
  const limit = size > mostBytesOfCase ? `${mostBytesOfCase / mebibyte} MiB` : `${mostFilesOfCase} files`;
  return new FileRefusal(
    `is more than a question may have: ${limit}`,
    'Make the files smaller, or ask several questions.',
  );
}

/** Puts what is known of a file into its message, in place of where it was found. */
function putInto({ draft, message }: PlacedAttachment, { hash, mediaType, bytes, name }: KnownFile): void {
  const attachment: Attachment = {
    hash,
    mediaType,
    bytes,
    ...(name !== undefined && { name }),
    at: draft.at,
  };
  const all = message['attachments'] as unknown[];
  all[all.indexOf(draft)] = attachment;
}

type Reading = AttachmentPlaces & { readonly known: Map<string, KnownFile> };

async function readFile(source: AttachmentSource, reading: Reading): Promise<KnownFile> {
  const { from, name } = source;
  const given = name === undefined ? {} : { name: plainFileName(name) };
  if (from.kind === 'unreadable')
    throw new FileRefusal(
      `is ${from.what}`,
      'Name a file beside the dataset, an https address or a data URL in base64.',
    );
  if (from.kind === 'kept') return knownByHash(from.file);
  if (from.kind === 'data') return { ...(await readData(from.base64, source)), ...given };
  const read = from.kind === 'path' ? readPath : readUrl;
  return { ...(await read(from.text, source, reading)), ...given };
}

/** Returns a file of a stored run, whose bytes are in the store or nowhere. */
function knownByHash({ hash, mediaType, bytes, name }: Attachment): KnownFile {
  checkSize(bytes);
  const read = async () => await Promise.reject(fileNotHere(name ?? hash.slice(0, 12)));
  return { hash, mediaType, bytes, ...(name !== undefined && { name: plainFileName(name) }), read };
}

function fileNotHere(name: string): TouchstoneError {
  return new TouchstoneError(
    'dataset-invalid',
    `"${shorten(name, longestShown)}" is named by its hash alone, and the store does not have it`,
    {
      remedy:
        'Take the file that `touchstone export` writes, which carries pictures, or the store in which the run is (`--store`).',
    },
  );
}

async function readPath(written: string, source: AttachmentSource, reading: Reading): Promise<KnownFile> {
  const { folder, configFolder, known } = reading;
  const file = path.resolve(folder, written);
  const roots = [folder, configFolder];
  if (path.isAbsolute(written) || !isWithin(roots, file) || written.includes('\0'))
    throw new FileRefusal('leads out of the folder of the dataset', 'Copy the file into that folder.');
  const state = await stateOf(file);
  const [real, ...realRoots] = await Promise.all([file, ...roots].map(async (each) => await realpath(each)));
  if (!isWithin(realRoots, real as string))
    throw new FileRefusal(
      'leads out of the folder of the dataset by a symbolic link',
      'Copy the file into that folder.',
    );
  const earlier = known.get(file);
  if (earlier?.state === state) return { ...earlier, ...checked(earlier, source, written) };
  const pieces = () => createReadStream(file, { end: mostBytes });
  const looked = await lookAt(pieces()).catch((error: unknown) => {
    throw new FileRefusal(`cannot be read (${messageOf(error)})`);
  });
  const described = describe(looked, source, written);
  const read = async () => await buffer(pieces());
  const found = { ...described, name: plainFileName(path.basename(file)), state, read };
  known.set(file, found);
  return found;
}

/** Returns whether a file is in one of several folders, by its path alone. */
function isWithin(roots: readonly string[], file: string): boolean {
  return roots.some((root) => pathWithin(root, file) !== undefined);
}

/** Returns a text that changes with the content of a file. Throws for one that is missing, too large or empty. */
async function stateOf(file: string): Promise<string> {
  const status = await stat(file).catch((error: NodeJS.ErrnoException) => {
    const isMissing = error.code === 'ENOENT' || error.code === 'ENOTDIR';
    throw isMissing
      ? new FileRefusal('does not exist', 'Paths are relative to the folder of the dataset.')
      : new FileRefusal(`cannot be read (${error.code ?? error.message})`);
  });
  if (!status.isFile()) throw new FileRefusal('is no file');
  checkSize(status.size);
  return `${status.size} ${status.mtimeMs} ${status.ino}`;
}

function checkSize(size: number): void {
  if (size === 0) throw new FileRefusal('is empty');
  if (size > mostBytes)
    throw new FileRefusal(`is larger than ${mostBytes / mebibyte} MiB`, 'Make the file smaller.');
}

async function readUrl(url: string, source: AttachmentSource, reading: Reading): Promise<KnownFile> {
  const { known, allowPrivate = false } = reading;
  const earlier = known.get(url);
  if (earlier !== undefined) return { ...earlier, ...checked(earlier, source, url) };
  const load = async () => await fetchPublic(url, { mostBytes, timeLimitMs: downloadLimitMs, allowPrivate });
  const bytes = await load();
  const { pathname } = new URL(url);
  const name = plainFileName(decodeURIComponent(path.posix.basename(pathname)).toWellFormed());
  const described = { ...describe(await lookAt([bytes]), source, name), ...(name !== '' && { name }) };
  // Later cases with this address find it in the store, and do not hold its bytes; where it is not there, it is fetched again.
  known.set(url, { ...described, read: load });
  return { ...described, read: async () => bytes };
}

async function readData(base64: string, source: AttachmentSource): Promise<KnownFile> {
  checkSize(Math.floor((base64.length * 3) / 4));
  const bytes = decodeBase64(base64);
  if (bytes === undefined) throw new FileRefusal('is not valid base64');
  return { ...describe(await lookAt([bytes]), source, source.name ?? ''), read: async () => bytes };
}

/** The things that are seen of a file without holding it. */
interface Looked {
  readonly head: Uint8Array;
  readonly size: number;
  readonly hash: string;
}

async function lookAt(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Looked> {
  const hash = createHash('sha256');
  let head: Uint8Array = new Uint8Array();
  let size = 0;
  for await (const piece of pieces) {
    hash.update(piece);
    if (size < sniffedBytes) head = Buffer.concat([head, piece.subarray(0, sniffedBytes)]);
    size += piece.length;
  }
  return { head, size, hash: hash.digest('hex') };
}

/** Returns what a file is by its first bytes. Throws for one of another kind, and for one whose name or type says something else. */
function describe(
  { head, size, hash }: Looked,
  source: AttachmentSource,
  name: string,
): Pick<KnownFile, 'hash' | 'mediaType' | 'bytes'> {
  checkSize(size);
  const mediaType = sniffMedia(head);
  if (mediaType === undefined) {
    const { what, remedy } = describeOther(head, source.name ?? name);
    throw new FileRefusal(what, remedy);
  }
  checked({ mediaType }, source, name);
  return { hash, mediaType, bytes: size };
}

/** Throws for a file whose name or stated type says that it is something else. */
function checked(
  { mediaType }: Pick<KnownFile, 'mediaType'>,
  { mediaType: stated, name: given }: AttachmentSource,
  name: string,
): object {
  for (const said of [declaredType(stated, ''), declaredType(undefined, given ?? name)]) {
    if (said === undefined || said === mediaType) continue;
    throw new FileRefusal(
      `is said to be ${titleOf(said)} and is ${titleOf(mediaType)}, by its first bytes`,
      'Correct its name, or the type that is stated.',
    );
  }
  return {};
}

function shownName({ from, name }: AttachmentSource): string {
  const place = from.kind === 'path' || from.kind === 'url' ? from.text : name;
  return place === undefined ? 'the file' : `"${shorten(place, longestShown)}"`;
}
