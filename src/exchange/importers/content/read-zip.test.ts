import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32, deflateRawSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readZip } from './read-zip.ts';

interface Entry {
  readonly name: string;
  readonly data: Buffer;
  readonly method?: number;
  /** The size that the table of contents states. */
  readonly size?: number;
}

/** Builds an archive with a local header, the data and a table of contents, as the standard says. */
function zip(entries: readonly Entry[], { isEncrypted = false } = {}): Buffer {
  const parts: Buffer[] = [];
  const table: Buffer[] = [];
  let offset = 0;
  for (const { name, data, method = 8, size = data.length } of entries) {
    const packed = method === 8 ? deflateRawSync(data) : method === 93 ? zstdCompressSync(data) : data;
    const bytes = Buffer.from(name);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(bytes.length, 26);
    const row = Buffer.alloc(46);
    row.writeUInt32LE(0x02014b50, 0);
    row.writeUInt16LE(isEncrypted ? 1 : 0, 8);
    row.writeUInt16LE(method, 10);
    row.writeUInt32LE(crc32(data), 16);
    row.writeUInt32LE(packed.length, 20);
    row.writeUInt32LE(size, 24);
    row.writeUInt16LE(bytes.length, 28);
    row.writeUInt32LE(offset, 42);
    parts.push(local, bytes, packed);
    table.push(row, bytes);
    offset += local.length + bytes.length + packed.length;
  }
  const contents = Buffer.concat(table);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(contents.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, contents, end]);
}

const text = Buffer.from('{"a": 1}'.repeat(100));

test.each([0, 8, 93])('an entry packed by the method %d is read', (method) => {
  const entries = readZip(zip([{ name: 'samples/1.json', data: text, method }]));
  expect([...entries.keys()]).toEqual(['samples/1.json']);
  expect(Buffer.from(entries.get('samples/1.json')?.() ?? []).equals(text)).toBe(true);
});

test('an archive that Python wrote with ZIP64 sizes is read', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'zip-'));
  const file = path.join(folder, 'a.zip');
  const script = `
import zipfile
with zipfile.ZipFile(${JSON.stringify(file)}, 'w', zipfile.ZIP_DEFLATED) as archive:
    with archive.open('large.json', 'w', force_zip64=True) as entry: entry.write(b'[1, 2]')
    archive.writestr('ä.json', 'x')
`;
  try {
    execFileSync('python3', ['-c', script]);
    const entries = readZip(readFileSync(file));
    expect(Buffer.from(entries.get('large.json')?.() ?? []).toString()).toBe('[1, 2]');
    expect(Buffer.from(entries.get('ä.json')?.() ?? []).toString()).toBe('x');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('an entry that unpacks to more than the limit is refused, whatever size it states', () => {
  const bomb = zip([{ name: 'bomb', data: Buffer.alloc(5 * 2 ** 20), size: 10 }]);
  expect(bomb.length).toBeLessThan(10_000);
  expect(readZip(bomb, 2 ** 20).get('bomb')).toThrow('larger than 1 MB when it is unpacked');
  const honest = zip([{ name: 'bomb', data: text, size: 0x30000000 }]);
  expect(readZip(honest).get('bomb')).toThrow('larger than 512 MB');
  const many = readZip(zip(['a', 'b', 'c'].map((name) => ({ name, data: Buffer.alloc(500) }))), 1024);
  expect(many.get('a')?.()).toHaveLength(500);
  expect(many.get('a')?.()).toHaveLength(500);
  expect(many.get('b')?.()).toHaveLength(500);
  expect(many.get('c')).toThrow('when it is unpacked');
});

test('what is cut off, damaged, encrypted or packed by an unknown method ends in a message', () => {
  const whole = zip([{ name: 'a', data: text }]);
  expect(() => readZip(whole.subarray(0, whole.length - 30))).toThrow('cut off');
  expect(() => readZip(Buffer.alloc(0))).toThrow('cut off');
  const damaged = Buffer.from(whole);
  damaged.fill(0xff, 31, 45);
  expect(readZip(damaged).get('a')).toThrow('damaged');
  expect(readZip(zip([{ name: 'a', data: text }], { isEncrypted: true })).get('a')).toThrow('encrypted');
  expect(readZip(zip([{ name: 'a', data: text, method: 14 }])).get('a')).toThrow('method 14');
});

test('every cut of an archive is read or refused', () => {
  const whole = zip([
    { name: 'a', data: text },
    { name: 'b', data: text, method: 93 },
  ]);
  for (let length = 0; length < whole.length; length += 1) {
    try {
      for (const read of readZip(whole.subarray(0, length)).values()) read();
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: 'import-invalid' });
    }
  }
});
