import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { SQLOutputValue } from 'node:sqlite';

/** Shorter texts are kept as they are: they gain little, and every compression costs as much as 20 KB take. */
const longText = 4000;

/** With a checksum, for a text that the disk has changed to be an error. */
const options = { params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 } };

/** A text as it is kept: compressed from so many characters on. */
export function packText(text: string, leastCharacters: number = longText): string | Uint8Array {
  return text.length < leastCharacters ? text : zstdCompressSync(text, options);
}

/** The opposite of `packText`. */
export function unpackText(packed: SQLOutputValue | undefined): string {
  return packed instanceof Uint8Array ? zstdDecompressSync(packed).toString() : String(packed);
}
