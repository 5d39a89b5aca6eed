import { checkDomain } from './check-domain.ts';

/** A reproducible stream of random numbers, for resampling and shuffling, not for secrets. */
export type Random = {
  /** Returns a number in [0, 1), a multiple of 2^−53. */
  next(): number;
  /**
   * Returns a whole number from 0 to `bound` − 1, all equally likely.
   *
   * @throws RangeError unless `bound` is a whole number from 1 to 2^32.
   */
  integer(bound: number): number;
  /**
   * Returns an independent stream named by a label. It depends only on the seed and the labels that lead to it, never
   * on the count of numbers drawn before, so parallel work can fork in any order.
   */
  fork(label: string | number): Random;
};

type State = [number, number, number, number];

const TWO_TO_32 = 2 ** 32;
const encoder = new TextEncoder();

/**
 * Starts the stream of a seed. The same seed gives the same numbers on every machine; a number and its decimal text are
 * the same seed.
 *
 * Method: xoshiro128** 1.1 (D. Blackman & S. Vigna, ACM TOMS 47 (2021)). Its four state words are MurmurHash3_x86_32 of
 * the seed's UTF-8 text under the hash seeds 0, 1, 2, 3; a fork hashes its label under its parent's four words. `next`
 * joins the upper 27 and 26 bits of two outputs; `integer` takes an output modulo the bound and draws again where that
 * would favour small numbers.
 */
export function createRandom(seed: string | number): Random {
  return randomFrom(deriveState([0, 1, 2, 3], seed));
}

/** Creates the raw generator: 32-bit outputs of xoshiro128** from an initial state of four 32-bit words, not all 0. */
export function createXoshiro128(initial: Readonly<State>): () => number {
  // Four times as fast in a typed array as in four variables of the closure.
  const state = Int32Array.from(initial);
  return () => {
    let a = state[0] as number;
    let b = state[1] as number;
    let c = state[2] as number;
    let d = state[3] as number;
    const output = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotateLeft(d, 11);
    state[0] = a;
    state[1] = b;
    state[2] = c;
    state[3] = d;
    return output;
  };
}

function randomFrom(state: State): Random {
  const draw = createXoshiro128(state);
  return {
    next: () => {
      const high = draw() >>> 5;
      const low = draw() >>> 6;
      return (high * 2 ** 26 + low) / 2 ** 53;
    },
    integer: (bound) => {
      const isBound = Number.isInteger(bound) && bound >= 1 && bound <= TWO_TO_32;
      checkDomain(isBound, 'bound', bound, 'a whole number from 1 to 2^32');
      const fairEnd = TWO_TO_32 - (TWO_TO_32 % bound);
      let output = draw();
      while (output >= fairEnd) {
        output = draw();
      }
      return output % bound;
    },
    fork: (label) => randomFrom(deriveState(state, label)),
  };
}

function deriveState(parent: Readonly<State>, label: string | number): State {
  const bytes = encoder.encode(String(label));
  const [a, b, c, d] = parent.map((word) => murmurHash(bytes, word)) as State;
  return (a | b | c | d) === 0 ? [1, 0, 0, 0] : [a, b, c, d];
}

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/**
 * Returns a 32-bit hash of bytes, for seeding and not for security: an integer from 0 to 2^32 − 1.
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

/** Reads up to four bytes from an offset as an integer; bytes past the end count as 0. */
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
