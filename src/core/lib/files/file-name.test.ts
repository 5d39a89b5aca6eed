import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileNameOf } from './file-name.ts';

test.each([
  ['main', 'main'],
  ['release-2.1', 'release-2.1'],
  ['Main', /^Main~[0-9a-f]{8}$/],
  ['con', /^_con~/],
  ['lpt1.txt', /^_lpt1\.txt~/],
  ['..', /^~/],
  ['a/b\\c:d', /^a_b_c_d~/],
  ['end.', /^end\.~/],
  ['ä', /^_~/],
  ['', /^~/],
])('%j is the file %s', (name, file) => {
  expect(fileNameOf(name)).toMatch(file instanceof RegExp ? file : new RegExp(`^${file}$`));
});

/** Short names of few letters, so that many are alike, and any text. */
const names = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'A', '.', '~', '_', '/', 'ä', 'n', 'u', 'l'), maxLength: 6 }),
  fc.string({ unit: 'binary' }),
  fc.string({ minLength: 90, maxLength: 120 }),
);

test('every name is right on Windows, and two names are two files also without regard to capitals', () => {
  fc.assert(
    fc.property(names, names, (one, other) => {
      const [file, otherFile] = [fileNameOf(one), fileNameOf(other)];
      expect(file).toMatch(/^[\w.~-]{1,100}$/);
      expect(file).not.toMatch(/^(?:con|nul|aux|prn|com\d|lpt\d)(?:\.|$)|\.$/i);
      expect(file.toLowerCase() === otherFile.toLowerCase()).toBe(one === other);
    }),
    { numRuns: 2000 },
  );
});
