import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createDeflate,
  createGzip,
  createZstdCompress,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { expect, test } from 'vitest';
import { inflate } from './inflate.ts';

const text = 'Grüezi 👋, the chair is $170. '.repeat(50);
const bytes = Buffer.from(text);
const most = 16 * 1024 * 1024;

const forms: readonly (readonly [encoding: string, packed: Buffer])[] = [
  ['identity', bytes],
  ['', bytes],
  ['gzip', gzipSync(bytes)],
  ['x-gzip', gzipSync(bytes)],
  ['GZIP', gzipSync(bytes)],
  ['deflate', deflateSync(bytes)],
  ['deflate', deflateRawSync(bytes)],
  ['br', brotliCompressSync(bytes)],
  ['zstd', zstdCompressSync(bytes)],
  ['gzip, br', brotliCompressSync(gzipSync(bytes))],
  ['br,identity, deflate ,gzip', gzipSync(deflateRawSync(brotliCompressSync(bytes)))],
];

const unpack = async (pieces: readonly Uint8Array[], encoding: string, mostBytes = most) =>
  await buffer(inflate(Readable.from(pieces, { objectMode: false }), encoding, mostBytes));

test.each(forms)('%j is read, whole and byte by byte', async (encoding, packed) => {
  expect(String(await unpack([packed], encoding))).toBe(text);
  const each = Array.from(packed, (byte) => Uint8Array.of(byte));
  expect(String(await unpack(each, encoding))).toBe(text);
});

test.each(forms)('an empty body is empty in %j', async (encoding) => {
  expect(await unpack([], encoding)).toHaveLength(0);
});

test.each(forms.slice(2))('%j that is cut off is a fault, never a shorter text', async (encoding, packed) => {
  for (const length of [1, 5, packed.length >> 1, packed.length - 1]) {
    await expect(unpack([packed.subarray(0, length)], encoding)).rejects.toMatchObject({
      name: 'InflateFault',
      isTooLarge: false,
      message: expect.stringMatching(/^its \S+ data are broken: /),
    });
  }
});

test.each(['gzip', 'deflate', 'br', 'zstd'])('what is no %s is a fault', async (encoding) => {
  await expect(
    unpack([Buffer.from('{"answer":"Hello there, this is plain"}')], encoding),
  ).rejects.toMatchObject({ name: 'InflateFault' });
});

test('an encoding that is not known, or too many of them, is a fault that names it', async () => {
  await expect(unpack([bytes], 'compress')).rejects.toThrow(
    'it is compressed as "compress", which is not known',
  );
  await expect(unpack([bytes], 'gzip, gzip, gzip, gzip')).rejects.toThrow('it is compressed 4 times');
  await expect(unpack([bytes], 'x'.repeat(5000))).rejects.toThrow(/^.{0,100}$/);
});

/** Returns 2 GB of zeros, compressed while they are read. */
function bomb(pack: PassThrough | ReturnType<typeof createGzip>): Readable {
  const zeros = Buffer.alloc(1024 * 1024);
  return Readable.from(
    (function* () {
      for (let count = 0; count < 2048; count += 1) yield zeros;
    })(),
  ).pipe(pack);
}

test.each([
  ['gzip', () => bomb(createGzip({ level: 1 }))],
  ['deflate', () => bomb(createDeflate({ level: 1 }))],
  ['br', () => bomb(createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }) as never)],
  ['zstd', () => bomb(createZstdCompress() as never)],
  ['gzip, gzip', () => bomb(createGzip({ level: 1 })).pipe(createGzip({ level: 1 }))],
])('of 2 GB in %s no more is unpacked than is allowed, in little memory', async (encoding, pack) => {
  const packed = pack();
  const before = process.memoryUsage();
  let [length, mostMemory] = [0, 0];
  const read = async () => {
    for await (const piece of inflate(packed, encoding, most) as AsyncIterable<Buffer>) {
      length += piece.length;
      const { external, heapUsed } = process.memoryUsage();
      mostMemory = Math.max(mostMemory, external + heapUsed - before.external - before.heapUsed);
    }
  };
  await expect(read()).rejects.toMatchObject({ isTooLarge: true });
  expect(length).toBeLessThanOrEqual(most);
  expect(mostMemory).toBeLessThan(64 * 1024 * 1024);
  expect(packed.destroyed).toBe(true);
});

test('a stage in the middle is bounded, too: what is small at both ends can be large between', async () => {
  // An empty block, 10 million times: nothing after the second unpacking.
  const empty = Buffer.from([0, 0, 0, 255, 255]);
  const between = Buffer.alloc(4_000_000 * empty.length, empty);
  await expect(unpack([gzipSync(between)], 'deflate, gzip')).rejects.toMatchObject({ isTooLarge: true });
});

test('a window of more than 8 MiB of zstd is a fault', async () => {
  const large = {
    params: { [constants.ZSTD_c_windowLog]: 27, [constants.ZSTD_c_enableLongDistanceMatching]: 1 },
  };
  const packed = await buffer(
    Readable.from([Buffer.alloc(9 * 1024 * 1024, 'abc'), Buffer.from('d')]).pipe(createZstdCompress(large)),
  );
  await expect(unpack([packed], 'zstd')).rejects.toMatchObject({ name: 'InflateFault', isTooLarge: false });
});

test('what has arrived is passed on at once, and a fault of the body comes as it is', async () => {
  const pack = createGzip();
  const body = new PassThrough();
  pack.pipe(body);
  const unpacked = inflate(body, 'gzip', most)[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  pack.write('data: one\n\n');
  pack.flush();
  expect(String((await unpacked.next()).value)).toBe('data: one\n\n');
  body.destroy(new Error('the line broke'));
  await expect(unpacked.next()).rejects.toThrow('the line broke');
});

test('destroying what is unpacked ends the body', async () => {
  const body = new PassThrough();
  const unpacked = inflate(body, 'br', most);
  unpacked.on('error', () => {});
  unpacked.destroy();
  await expect.poll(() => body.destroyed).toBe(true);
});
