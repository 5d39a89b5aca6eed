import { expect, test } from 'vitest';
import { murmurHash } from './murmur-hash.ts';

test.each([
  ['', 0, 0],
  ['', 1, 0x514e28b7],
  ['hello', 0, 0x248bfa47],
  ['The quick brown fox jumps over the lazy dog', 0x9747b28c, 0x2fa826cd],
])('the hash of "%s" with seed %d is that of the reference implementation', (text, seed, hash) => {
  expect(murmurHash(new TextEncoder().encode(text), seed)).toBe(hash);
});
