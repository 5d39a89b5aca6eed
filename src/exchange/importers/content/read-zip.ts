import { inflateRawSync, zstdDecompressSync } from 'node:zlib';
import { TouchstoneError } from '../../../core/errors.ts';

/** The most entries of an archive. */
const mostEntries = 1_000_000;
/** The most bytes of an archive when it is unpacked. */
const mostBytes = 512 * 2 ** 20;

const signatures = { entry: 0x02014b50, end: 0x06054b50, end64: 0x06064b50, locator64: 0x07064b50 };

/**
 * Reads the table of contents of a zip archive. Each entry is unpacked when it is asked for; the methods are stored,
 * deflated and Zstandard, and ZIP64 sizes are understood. The names are names: nothing is written under them. Throws
 * `import-invalid` for an archive that is cut off or encrypted, and for entries that are too large: many may share the same
 * packed bytes.
 * @param limit - The most bytes of all entries that are asked for.
 * @see APPNOTE.TXT 6.3.10, sections 4.3.12 to 4.3.16 and 4.5.3.
 */
export function readZip(bytes: Uint8Array, limit: number = mostBytes): Map<string, () => Uint8Array> {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const { offset, count } = findTable(view);
    if (count > mostEntries) throw invalid(`it has ${count} entries; at most ${mostEntries} are read`);
    const entries = new Map<string, () => Uint8Array>();
    const unpacked = new Set<string>();
    let bytes = 0;
    let at = offset;
    for (let index = 0; index < count; index += 1) {
      const { name, next, ...place } = readTableEntry(view, at);
      entries.set(name, () => {
        const data = unpack(view, name, place, limit);
        if (!unpacked.has(name)) bytes += data.length;
        unpacked.add(name);
        if (bytes > limit) throw invalid(`it is larger than ${limit / 2 ** 20} MB when it is unpacked`);
        return data;
      });
      at = next;
    }
    return entries;
  } catch (error) {
    if (error instanceof RangeError) throw invalid('it is cut off or damaged');
    throw error;
  }
}

/** Where an entry is, and how it is packed. */
interface EntryPlace {
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  readonly start: number;
  readonly isEncrypted: boolean;
}

function findTable(view: Buffer): { offset: number; count: number } {
  const earliest = Math.max(0, view.length - 22 - 65_535);
  for (let at = view.length - 22; at >= earliest; at -= 1) {
    if (view.readUInt32LE(at) !== signatures.end) continue;
    const [count, offset] = [view.readUInt16LE(at + 10), view.readUInt32LE(at + 16)];
    const isLarge = count === 0xffff || offset === 0xffffffff;
    if (!isLarge) return { offset, count };
    if (at < 20 || view.readUInt32LE(at - 20) !== signatures.locator64) return { offset, count };
    const end64 = readSize(view, at - 20 + 8);
    if (view.readUInt32LE(end64) !== signatures.end64) throw invalid('its table of contents is damaged');
    return { offset: readSize(view, end64 + 48), count: readSize(view, end64 + 32) };
  }
  throw invalid('it has no table of contents: it is cut off, or no zip archive');
}

function readTableEntry(view: Buffer, at: number): EntryPlace & { name: string; next: number } {
  if (view.readUInt32LE(at) !== signatures.entry) throw invalid('its table of contents is damaged');
  const [nameLength, extraLength, noteLength] = [28, 30, 32].map((step) => view.readUInt16LE(at + step)) as [
    number,
    number,
    number,
  ];
  const nameEnd = at + 46 + nameLength;
  const sizes = {
    size: view.readUInt32LE(at + 24),
    packed: view.readUInt32LE(at + 20),
    start: view.readUInt32LE(at + 42),
  };
  return {
    name: view.toString('utf8', at + 46, nameEnd),
    method: view.readUInt16LE(at + 10),
    isEncrypted: (view.readUInt16LE(at + 8) & 1) === 1,
    ...withLargeSizes(view.subarray(nameEnd, nameEnd + extraLength), sizes),
    next: nameEnd + extraLength + noteLength,
  };
}

/** Replaces the sizes that did not fit into 32 bits by the sizes in the ZIP64 field, in the order of the standard. */
function withLargeSizes<Sizes extends Record<'size' | 'packed' | 'start', number>>(
  extra: Buffer,
  sizes: Sizes,
): Sizes {
  for (let at = 0; at + 4 <= extra.length; ) {
    const [id, length] = [extra.readUInt16LE(at), extra.readUInt16LE(at + 2)];
    if (id === 1) {
      let from = at + 4;
      const large = { ...sizes };
      for (const name of ['size', 'packed', 'start'] as const) {
        if (sizes[name] !== 0xffffffff) continue;
        large[name] = readSize(extra, from);
        from += 8;
      }
      return large;
    }
    at += 4 + length;
  }
  return sizes;
}

function readSize(view: Buffer, at: number): number {
  const size = view.readBigUInt64LE(at);
  if (size > BigInt(Number.MAX_SAFE_INTEGER)) throw invalid('its table of contents is damaged');
  return Number(size);
}

function unpack(
  view: Buffer,
  name: string,
  { method, packed, size, start, isEncrypted }: EntryPlace,
  limit: number,
): Uint8Array {
  const shown = JSON.stringify(name.slice(0, 80));
  if (isEncrypted) throw invalid(`its entry ${shown} is encrypted`);
  if (size > limit) throw tooLarge(shown, limit);
  try {
    const from = start + 30 + view.readUInt16LE(start + 26) + view.readUInt16LE(start + 28);
    const data = view.subarray(from, from + packed);
    if (data.length < packed) throw invalid(`its entry ${shown} is cut off`);
    if (method === 0) return data;
    if (method === 8) return inflateRawSync(data, { maxOutputLength: limit });
    if (method === 93) return zstdDecompressSync(data, { maxOutputLength: limit });
  } catch (error) {
    if (error instanceof TouchstoneError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(shown, limit);
    throw invalid(`its entry ${shown} is damaged`);
  }
  throw invalid(`its entry ${shown} is packed by the method ${method}; 0, 8 and 93 are read`);
}

function tooLarge(shown: string, limit: number): TouchstoneError {
  return invalid(`its entry ${shown} is larger than ${limit / 2 ** 20} MB when it is unpacked`);
}

function invalid(problem: string): TouchstoneError {
  return new TouchstoneError('import-invalid', `The archive cannot be read: ${problem}.`);
}
