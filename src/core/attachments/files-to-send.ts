import { randomBytes } from 'node:crypto';
import type { StreamedBody } from '../lib/network/send-request.ts';
import type { Attachment } from '../schema/message.ts';

/**
 * The files of one request. A request is built as a text in which a mark takes the place of the base64 of each file; the bytes take
 * the place of the marks while it is sent, so that no text of their size is ever made.
 */
export interface FilesToSend {
  /** The mark of each file by its hash. */
  readonly marks: ReadonlyMap<string, string>;
  /** The number of its bytes, by its hash. */
  readonly sizes: ReadonlyMap<string, number>;
  read(hash: string): Promise<Uint8Array>;
}

/** The files of a request without any. */
export const noFiles: FilesToSend = {
  marks: new Map(),
  sizes: new Map(),
  read: async (hash) => await Promise.reject(new Error(`The request has no file ${hash}.`)),
};

/** The beginning of a mark: no text of a question has it, and neither JSON nor a form writes it otherwise. */
const markWord = `touchstone_${randomBytes(16).toString('hex')}`;

type Encoding = 'base64' | 'bytes' | 'form';

const markOf = (hash: string, encoding: Encoding) => `${markWord}_${hash}_${encoding}`;
const marksIn = new RegExp(`${markWord}_([0-9a-f]{64})_(base64|bytes|form)`, 'g');

/** The bytes of a request that are read before it is sent, since that time is none of the bot's. */
const mostBytesAhead = 4 * 1024 * 1024;

/**
 * Prepares files for a request: files of usual size are read here, the others when their turn comes.
 * @param read - Returns the bytes of a file; throws where they are missing.
 */
export async function prepareFiles(
  attachments: readonly Attachment[],
  read: (hash: string) => Promise<Uint8Array>,
): Promise<FilesToSend> {
  if (attachments.length === 0) return noFiles;
  const sizes = new Map(attachments.map(({ hash, bytes }) => [hash, bytes]));
  const ahead = new Map<string, Uint8Array>();
  let bytesAhead = 0;
  for (const { hash, bytes } of attachments) {
    if (ahead.has(hash) || bytesAhead + bytes > mostBytesAhead) continue;
    const file = await read(hash);
    bytesAhead += file.length;
    sizes.set(hash, file.length);
    ahead.set(hash, file);
  }
  return {
    marks: new Map(Array.from(sizes.keys(), (hash) => [hash, markOf(hash, 'base64')])),
    sizes,
    read: async (hash) => ahead.get(hash) ?? (await read(hash)),
  };
}

/** Encodes a text as a part of a URL or a form, and with it the base64 of the files in it. */
export function encodeFormPart(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(marksIn, (_mark, hash: string) =>
    markOf(hash, 'form'),
  );
}

/** Returns a text in which files stand as they are, in place of their base64. */
export function asBytes(text: string): string {
  return text.replaceAll(marksIn, (_mark, hash: string) => markOf(hash, 'bytes'));
}

/** Returns a text with words in place of its files, to be shown and counted. */
export function describeFiles(text: string, files: FilesToSend): string {
  if (files === noFiles) return text;
  const { sizes } = files;
  return text.replaceAll(
    marksIn,
    (_mark, hash: string) => `‹${sizes.get(hash) ?? 0} bytes, ${hash.slice(0, 12)}…›`,
  );
}

/** Returns a text as the body of a request, with the files in place of their marks. */
export function writeBody(text: string, files: FilesToSend): string | StreamedBody {
  if (files === noFiles) return text;
  const pieces = splitAtMarks(text);
  return {
    length: async () => {
      let length = 0;
      for (const piece of pieces) {
        length += typeof piece === 'string' ? Buffer.byteLength(piece) : await lengthOf(piece, files);
      }
      return length;
    },
    pieces: async function* () {
      for (const piece of pieces) {
        if (typeof piece === 'string') yield piece;
        else yield* encodedPieces(await readWhole(piece, files), piece.encoding);
      }
    },
  };
}

/** The place of a file in a body. */
interface FilePlace {
  readonly hash: string;
  readonly encoding: Encoding;
}

function splitAtMarks(text: string): (string | FilePlace)[] {
  const pieces: (string | FilePlace)[] = [];
  let from = 0;
  for (const { index, 0: mark, 1: hash = '', 2: encoding } of text.matchAll(marksIn)) {
    pieces.push(text.slice(from, index), { hash, encoding: encoding as Encoding });
    from = index + mark.length;
  }
  return [...pieces, text.slice(from)];
}

async function lengthOf(place: FilePlace, files: FilesToSend): Promise<number> {
  const size = files.sizes.get(place.hash) ?? 0;
  if (place.encoding === 'bytes') return size;
  if (place.encoding === 'base64') return Math.ceil(size / 3) * 4;
  // How many of its characters a form writes as three shows only the file itself.
  let length = 0;
  for (const piece of encodedPieces(await readWhole(place, files), place.encoding)) length += piece.length;
  return length;
}

/** Reads a file whose size was announced to the server. */
async function readWhole({ hash }: FilePlace, files: FilesToSend): Promise<Buffer> {
  const bytes = await files.read(hash);
  if (bytes.length !== files.sizes.get(hash)) {
    throw new Error(`The file ${hash.slice(0, 12)}… has another size than its record says.`);
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The bytes that are encoded at a time: a multiple of three, so that base64 can be written piece by piece. */
const bytesOfPiece = 96 * 1024;

function* encodedPieces(bytes: Buffer, encoding: Encoding): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += bytesOfPiece) {
    const piece = bytes.subarray(from, from + bytesOfPiece);
    if (encoding === 'bytes') yield piece;
    else {
      const base64 = piece.toString('base64');
      yield Buffer.from(encoding === 'form' ? encodeURIComponent(base64) : base64, 'latin1');
    }
  }
}
