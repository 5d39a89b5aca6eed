/**
 * 32-bit hash of bytes, for seeding and not for security: an integer from 0 to 2^32 − 1.
 *
 * Method: MurmurHash3_x86_32 by A. Appleby (public domain).
 */
export function murmurHash(bytes: Uint8Array, seed: number): number {
  const blocks = bytes.length >>> 2;
  let hash = seed;
  for (let i = 0; i < blocks; i += 1) {
    hash = Math.imul(rotateLeft(hash ^ scramble(littleEndian(bytes, i * 4)), 13), 5) + 0xe6546b64;
  }
  hash ^= scramble(littleEndian(bytes, blocks * 4));
  return finish(hash ^ bytes.length);
}

/** Up to four bytes from an offset as an integer; bytes past the end count as 0. */
function littleEndian(bytes: Uint8Array, offset: number): number {
  const at = (i: number): number => bytes[offset + i] ?? 0;
  return at(0) | (at(1) << 8) | (at(2) << 16) | (at(3) << 24);
}

function scramble(block: number): number {
  return Math.imul(rotateLeft(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593);
}

function finish(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
