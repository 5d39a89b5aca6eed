import { expect, test } from 'vitest';
import { compareRecords, recordOf } from './check-package.ts';

const files = [
  'README.md',
  'bin/a.js',
  'dist/chunks/one.js',
  'docs/decisions/x.md',
  'examples/bot/deep/er/y.js',
];
const packed = (names: readonly string[], size = 100_000, installed = 10 * size) => ({
  size,
  installed,
  files: names.map((path) => ({ path })),
});

test('a package is recorded by its size and its folders; a new folder, another number of files and 11 % more are found', () => {
  const record = recordOf(packed(files));
  expect(record).toBe(
    'archive 100 kB\ninstalled 1000 kB\n. 1\nbin 1\ndist/chunks some\ndocs/decisions 1\nexamples/bot/deep 1\n',
  );
  const again = recordOf(packed([...files, 'dist/chunks/two.js'], 110_000, 1_020_000));
  expect(compareRecords(record, again)).toEqual([]);
  const grown = recordOf(packed([...files.slice(1), 'bin/b.js', 'build/left.py'], 111_000));
  expect(compareRecords(record, grown)).toEqual([
    'the archive has 111 kB, more than 10 % over the recorded 100',
    'an installation has 1110 kB, more than 2 % over the recorded 1000',
    '.: no files are packed, 1 are recorded',
    'bin: 2 files are packed, 1 are recorded',
    'build: 1 files are packed, no are recorded',
  ]);
});
