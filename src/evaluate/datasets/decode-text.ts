import { formatPlace, TouchstoneError } from '../../core/errors.ts';
import { TextCursor } from './text-cursor.ts';

interface Disguise {
  /** The real format of the file. */
  readonly is: string;
  readonly remedy: string;
  /** The first bytes that identify the format, one character a byte. */
  readonly magic: RegExp;
}

const unpack = 'Unpack it and name the file inside.';
/** The advice for a sheet that cannot be read. */
export const exportSheet = 'Save the sheet as "CSV UTF-8" and name that file.';

const disguises: readonly Disguise[] = [
  {
    is: 'a git-lfs pointer, not the data itself',
    remedy: 'Run `git lfs pull`.',
    magic: /^version https:\/\/git-lfs\.github\.com/,
  },
  {
    is: 'a spreadsheet (Excel or OpenDocument)',
    remedy: `Give an Excel workbook the ending .xlsx. Or: ${exportSheet}`,
    magic: /^PK\x03\x04[^]*(\[Content_Types\]|opendocument)/,
  },
  { is: 'a zip archive', remedy: unpack, magic: /^PK(\x03\x04|\x05\x06)/ },
  {
    is: 'a gzip archive',
    remedy: 'Unpack it with `gunzip`, or pipe it: `gunzip -c FILE | touchstone run --dataset -`.',
    magic: /^\x1f\x8b/,
  },
  { is: 'a zstd archive', remedy: unpack, magic: /^\x28\xb5\x2f\xfd/ },
  { is: 'an xz archive', remedy: unpack, magic: /^\xfd7zXZ\0/ },
  { is: 'a bzip2 archive', remedy: unpack, magic: /^BZh[1-9]1AY&SY/ },
  { is: 'an old Excel or Word file', remedy: exportSheet, magic: /^\xd0\xcf\x11\xe0/ },
  { is: 'a PDF document', remedy: 'Copy the questions into a .jsonl or .csv file.', magic: /^%PDF-/ },
  {
    is: 'a Parquet file',
    remedy: 'Give it the ending .parquet.',
    magic: /^PAR1[\x00-\x1f]/,
  },
  { is: 'an Arrow file', remedy: 'Convert it to .jsonl or .csv.', magic: /^ARROW1\0/ },
  { is: 'a SQLite database', remedy: 'Export the table as .csv or .jsonl.', magic: /^SQLite format 3\0/ },
  { is: 'UTF-32 text', remedy: 'Save the file as UTF-8.', magic: /^(\xff\xfe\0\0|\0\0\xfe\xff)/ },
  {
    is: 'a web page',
    remedy: 'Download the file itself; this may be the page around it, or a login page.',
    magic: /^\s*<(!doctype html|html)[\s>]/i,
  },
];

/**
 * Throws `dataset-unreadable` when the first bytes of a file show that it is not text, or only a pointer to another
 * file.
 */
export function refuseDisguisedFile(head: Uint8Array, name: string): void {
  if (/(^|[\\/])(~\$|\.~lock\.)[^\\/]*$/.test(name)) {
    throw new TouchstoneError(
      'dataset-unreadable',
      `${name}: this is the lock file of a program that has the real file open`,
      {
        remedy: "Name the file itself, without the lock file's extra characters.",
      },
    );
  }
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 4096)).toString('latin1');
  const disguise = disguises.find(({ magic }) => magic.test(start));
  if (disguise === undefined) return;
  throw new TouchstoneError('dataset-unreadable', `${name}: this is ${disguise.is}`, {
    remedy: disguise.remedy,
  });
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

const headBytes = 4096;

/**
 * Decodes UTF-8, or UTF-16 with a byte order mark, into pieces of text without the mark. Throws `dataset-unreadable`
 * for files that are not text, with the place of the first invalid byte.
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<string> {
  let held: Uint8Array = new Uint8Array();
  let decoder: Decoder | undefined;
  for await (const chunk of bytes) {
    let next = chunk;
    if (decoder === undefined) {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      if (held.length < headBytes) continue;
      decoder = new Decoder(held, name);
      next = held.subarray(decoder.markLength);
    }
    const text = decoder.decode(next);
    if (text !== '') yield text;
  }
  const isShort = decoder === undefined;
  decoder ??= new Decoder(held, name);
  const text = decoder.end(isShort ? held.subarray(decoder.markLength) : new Uint8Array());
  if (text !== '') yield text;
}

/** A decoder of chunks that knows its position for messages. */
class Decoder {
  readonly markLength: number;
  readonly #encoding: Encoding;
  readonly #decoder: InstanceType<typeof TextDecoder>;
  readonly #cursor: TextCursor;
  #offset: number;
  /** The first bytes of a character that continues in the next chunk. */
  #carry: Uint8Array = new Uint8Array();

  constructor(head: Uint8Array, file: string) {
    refuseDisguisedFile(head, file);
    const { encoding, markLength } = encodingOf(head);
    this.markLength = markLength;
    this.#encoding = encoding;
    this.#decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
    this.#cursor = new TextCursor({ file });
    this.#offset = markLength;
  }

  decode(chunk: Uint8Array): string {
    const bytes = this.#carry.length === 0 ? chunk : Buffer.concat([this.#carry, chunk]);
    const length = completeLength(bytes, this.#encoding);
    this.#carry = bytes.subarray(length);
    return this.#decodeWhole(bytes.subarray(0, length));
  }

  end(last: Uint8Array): string {
    const text = this.decode(last);
    if (this.#carry.length > 0) this.#refuseBytes(this.#carry);
    return text;
  }

  #decodeWhole(bytes: Uint8Array): string {
    let text: string;
    try {
      text = this.#decoder.decode(bytes);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.#refuseBytes(bytes);
    }
    this.#cursor.enter(text);
    const nul = text.indexOf('\0');
    if (nul >= 0) this.#refuseNul(text, nul);
    this.#offset += bytes.length;
    return text;
  }

  #refuseBytes(bytes: Uint8Array): never {
    const valid = longestValidText(bytes, this.#encoding);
    const at = byteLength(valid, this.#encoding);
    const byte = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, '0');
    const encoding = this.#encoding.slice(0, 6).toUpperCase();
    this.#cursor.enter(valid);
    const what = `the byte 0x${byte} (byte offset ${this.#offset + at}) is not ${encoding}`;
    throw new TouchstoneError(
      'dataset-unreadable',
      `${formatPlace(this.#cursor.placeAt(valid.length))}: ${what}`,
      {
        remedy:
          'Save the file as UTF-8 (in Excel: "CSV UTF-8"), or convert it: `iconv -f windows-1252 -t utf-8 FILE`.',
      },
    );
  }

  #refuseNul(text: string, at: number): never {
    const offset = this.#offset + byteLength(text.slice(0, at), this.#encoding);
    const what = `a NUL character (byte offset ${offset}): not a text file, or UTF-16 without a byte order mark`;
    throw new TouchstoneError('dataset-unreadable', `${formatPlace(this.#cursor.placeAt(at))}: ${what}`, {
      remedy: 'Save the file as UTF-8 text.',
    });
  }
}

function encodingOf(head: Uint8Array): { encoding: Encoding; markLength: number } {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: 'utf-8', markLength: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', markLength: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', markLength: 2 };
  return { encoding: 'utf-8', markLength: 0 };
}

/** Returns the number of bytes that are whole characters; the others wait for the next chunk. */
function completeLength(bytes: Uint8Array, encoding: Encoding): number {
  if (encoding !== 'utf-8') {
    const even = bytes.length - (bytes.length % 2);
    const high = bytes[encoding === 'utf-16le' ? even - 1 : even - 2] ?? 0;
    return (high & 0xfc) === 0xd8 ? even - 2 : even;
  }
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Returns the text before the first invalid byte, found by bisection: only for messages. */
function longestValidText(bytes: Uint8Array, encoding: Encoding): string {
  let valid = 0;
  let invalid = bytes.length + 1;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (decodePrefix(bytes, middle, encoding) === undefined) invalid = middle;
    else valid = middle;
  }
  return decodePrefix(bytes, valid, encoding) ?? '';
}

function decodePrefix(bytes: Uint8Array, length: number, encoding: Encoding): string | undefined {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  try {
    return decoder.decode(bytes.subarray(0, length), { stream: true });
  } catch {
    return undefined;
  }
}

function byteLength(text: string, encoding: Encoding): number {
  return encoding === 'utf-8' ? Buffer.byteLength(text) : text.length * 2;
}
