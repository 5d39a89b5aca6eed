import { pipeline, type Readable, Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { shorten } from '../text/terminal-text.ts';

/** The fault of a body that cannot be unpacked, or that would become too large. */
export class InflateFault extends Error {
  override readonly name = 'InflateFault';
  readonly isTooLarge: boolean;

  constructor(message: string, { isTooLarge = false }: { readonly isTooLarge?: boolean } = {}) {
    super(message);
    this.isTooLarge = isTooLarge;
  }
}

/** The most times that a body may be compressed. */
const mostEncodings = 3;
/** The window that a stream of zstd may ask for: 8 MiB (RFC 9659). */
const zstdWindowLog = 23;

/** Returns the packing of each encoding that is read, by the first byte of what is packed. */
const createUnpacker: Readonly<Record<string, (firstByte: number) => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  // By the standard with a head of zlib, which some servers leave out. With its compression method 8, it begins so.
  deflate: (firstByte) => ((firstByte & 15) === 8 ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: zstdWindowLog } }),
};

/**
 * Returns a body without its compression: the body itself when it has none. What has arrived is passed on at once. Destroying
 * the result destroys the body. Its reader meets an `InflateFault` when the data are broken or incomplete, in an encoding that is not known, or when a stage of
 * unpacking yields more than `mostBytes`; a fault of the body comes as it is.
 * @param encoding - The content-encoding of the body.
 */
export function inflate(body: Readable, encoding: string, mostBytes: number): Readable {
  const encodings = encoding
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && each !== 'identity');
  if (encodings.length === 0) return body;
  // The last one was applied last.
  const fault = faultOf(encodings);
  const stages =
    fault === undefined
      ? encodings.toReversed().map((each) => createStage(each, mostBytes))
      : [new Transform({ transform: (_chunk, _, done) => done(fault) })];
  pipeline([body, ...stages], () => {}); // Its reader meets the fault.
  return stages.at(-1) as Readable;
}

/** Returns the fault of a list of encodings that cannot be undone. */
function faultOf(encodings: readonly string[]): InflateFault | undefined {
  const unknown = encodings.find((each) => !Object.hasOwn(createUnpacker, each));
  if (unknown !== undefined)
    return new InflateFault(
      `it is compressed as ${JSON.stringify(shorten(unknown, 40))}, which is not known`,
    );
  return encodings.length > mostEncodings
    ? new InflateFault(`it is compressed ${encodings.length} times`)
    : undefined;
}

function createStage(encoding: string, mostBytes: number): Transform {
  let unpacker: Transform | undefined;
  let length = 0;
  const broken = (error: Error) => new InflateFault(`its ${encoding} data are broken: ${error.message}`);
  const begin = (stage: Transform, firstByte: number): Transform => {
    const begun = createUnpacker[encoding]?.(firstByte) as Transform;
    begun.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length > mostBytes) stage.destroy(new InflateFault('it is too large', { isTooLarge: true }));
      else stage.push(piece);
    });
    begun.on('error', (error) => stage.destroy(broken(error)));
    return begun;
  };
  return new Transform({
    transform(chunk: Buffer, _, done) {
      if (chunk.length === 0) return done();
      unpacker ??= begin(this, chunk[0] ?? 0);
      unpacker.write(chunk, (error) => done(error ? broken(error) : null));
    },
    flush(done) {
      // A body without any bytes is empty in every encoding.
      if (unpacker === undefined) return done();
      unpacker.once('end', () => done());
      unpacker.end();
    },
    destroy(error, done) {
      unpacker?.destroy();
      done(error);
    },
  });
}
