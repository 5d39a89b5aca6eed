import { expect, test } from 'vitest';
import { hashText } from './content-hash.ts';
import { createHashSet } from './hash-set.ts';

test('a hash is new once, however many others come between', () => {
  const set = createHashSet();
  const hashes = Array.from({ length: 20_000 }, (_, index) => hashText(String(index)));
  expect(hashes.every((hash) => set.add(hash))).toBe(true);
  expect(hashes.some((hash) => set.add(hash))).toBe(false);
  expect(set.add(hashText('another'))).toBe(true);
});

test('the hash of nothing but zeros is a hash like any other', () => {
  const set = createHashSet();
  expect(set.add('0'.repeat(32))).toBe(true);
  expect(set.add('0'.repeat(32))).toBe(false);
});
