import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { createRowSpool } from './row-spool.ts';

test('rows are read back unchanged, including those that no longer fit into memory', () => {
  const spool = createRowSpool();
  const rows = Array.from({ length: 40 }, (_, index) => ({
    index,
    text: String(index).repeat(300_000),
    nan: Number.NaN,
  }));
  const handles = rows.map((row) => spool.put(row));
  for (const [place, handle] of [...handles.entries()].toReversed())
    expect(spool.get(handle)).toEqual(rows[place]);
  spool.close();
});

test.skipIf(process.platform === 'win32')('the file of a spool has no name that is left behind', async () => {
  const left = async () => (await readdir(tmpdir())).filter((name) => /^touchstone-[0-9a-f]{32}$/.test(name));
  const before = await left();
  const spool = createRowSpool();
  for (let row = 0; row < 10; row += 1) spool.put({ text: 'x'.repeat(2_000_000) });
  expect(await left()).toEqual(before);
  spool.close();
});

test('reading a row that was never stored throws', () => {
  expect(() => createRowSpool().get(0)).toThrow(RangeError);
});
