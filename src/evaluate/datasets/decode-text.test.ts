import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText, refuseDisguisedFile } from './decode-text.ts';

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function decode(bytes: Uint8Array, size: number = 7): Promise<string> {
  return (await Array.fromAsync(decodeText(chunksOf(bytes, size), 'golden.csv'))).join('');
}

function utf16(text: string, isBigEndian: boolean): Buffer {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
}

test('text is the same in UTF-8 and in UTF-16 of both byte orders, wherever the chunks end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.integer({ min: 1, max: 9 }),
      async (drawn, size) => {
        const text = drawn
          .replaceAll('\0', '')
          .toWellFormed()
          .replace(/^\ufeff+/, '')
          .replace(/^PK|^</, '');
        expect(await decode(Buffer.from(text), size)).toBe(text);
        expect(await decode(utf16(text, false), size)).toBe(text);
        expect(await decode(utf16(text, true), size)).toBe(text);
      },
    ),
  );
});

test('a byte order mark is removed at the beginning and kept anywhere else', async () => {
  expect(await decode(Buffer.from('\ufeffa\ufeffb'))).toBe('a\ufeffb');
});

test.each([1, 3, 5000, 100_000])('an invalid byte is named with its place, in chunks of %i', async (size) => {
  const bytes = Buffer.concat([
    Buffer.from(`${'ä€😀\n'.repeat(2000)}na`),
    Buffer.from([0xef, 0x76]),
    Buffer.from('e'),
  ]);
  await expect(decode(bytes, size)).rejects.toMatchObject({
    code: 'dataset-unreadable',
    message: 'golden.csv:2001:3: the byte 0xEF (byte offset 20002) is not UTF-8',
    remedy: expect.stringContaining('UTF-8'),
  });
});

test('text that ends within a character is refused at the beginning of the character', async () => {
  await expect(decode(Buffer.from('a€').subarray(0, 3))).rejects.toThrow(
    'golden.csv:1:2: the byte 0xE2 (byte offset 1)',
  );
  await expect(decode(utf16('ab', false).subarray(0, 5))).rejects.toThrow('(byte offset 4) is not UTF-16');
});

test('half a surrogate pair in UTF-16 is refused', async () => {
  await expect(decode(utf16('a\ud83db', true))).rejects.toThrow(
    'golden.csv:1:2: the byte 0xD8 (byte offset 4)',
  );
});

test('a NUL character is refused: it is binary data or UTF-16 without a mark', async () => {
  await expect(decode(Buffer.from('ab\nc\0'))).rejects.toThrow(
    'golden.csv:2:2: a NUL character (byte offset 4)',
  );
  await expect(decode(Buffer.from('abc', 'utf16le'))).rejects.toThrow('UTF-16 without a byte order mark');
});

test.each([
  ['version https://git-lfs.github.com/spec/v1\noid sha256:e8\n', 'git-lfs pointer', 'git lfs pull'],
  ['PK\x03\x04\x14\0[Content_Types].xml', 'spreadsheet', 'CSV UTF-8'],
  ['PK\x03\x04\x14\0a.jsonl', 'zip archive', 'Unpack'],
  ['\x1f\x8b\x08', 'gzip', 'gunzip'],
  ['\xd0\xcf\x11\xe0\xa1', 'old Excel', 'CSV UTF-8'],
  ['%PDF-1.7', 'PDF', '.jsonl'],
  ['PAR1\x15\x04', 'Parquet', 'ending .parquet'],
  ['SQLite format 3\0', 'SQLite', 'Export'],
  ['\xff\xfe\0\0a\0\0\0', 'UTF-32', 'UTF-8'],
  ['\n<!DOCTYPE html><html>', 'web page', 'Download'],
])('%j is refused with its real format', (head, is, remedy) => {
  expect(() => refuseDisguisedFile(Buffer.from(head, 'latin1'), 'golden.jsonl')).toThrow(
    expect.objectContaining({
      code: 'dataset-unreadable',
      message: expect.stringContaining(is),
      remedy: expect.stringContaining(remedy),
    }),
  );
});

test.each(['~$golden.xlsx', 'data/.~lock.golden.csv#'])('the lock file %s is refused as one', (name) => {
  expect(() => refuseDisguisedFile(Buffer.from('x'), name)).toThrow('lock file');
});

test.each(['PK,question\n', 'PAR1,question\n', 'version,question\n', '{"question":"<html>"}', ''])(
  '%j is text like any other',
  (head) => {
    expect(() => refuseDisguisedFile(Buffer.from(head), 'golden.csv')).not.toThrow();
  },
);
