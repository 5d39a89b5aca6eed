import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom, createXoshiro128, murmurHash } from './random.ts';

test('the raw generator gives the outputs of the authors’ C code from the state 1, 2, 3, 4', () => {
  const draw = createXoshiro128([1, 2, 3, 4]);
  expect(Array.from({ length: 10 }, draw)).toEqual([
    11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
  ]);
});

// The same algorithm written independently in Python.
test('a seed always gives the same numbers', () => {
  const random = createRandom(42);
  expect([random.next(), random.next(), random.next(), random.next()]).toEqual([
    0.10315501073396216, 0.5526892423756968, 0.2826506861478697, 0.05468141737613719,
  ]);
  const fork = random.fork('bootstrap');
  expect([fork.next(), fork.next(), fork.next()]).toEqual([
    0.003552629107286931, 0.8125086660122149, 0.7224547795393359,
  ]);
  const die = createRandom('émile');
  expect(Array.from({ length: 12 }, () => die.integer(6))).toEqual([3, 4, 3, 0, 5, 3, 2, 0, 5, 3, 4, 0]);
});

test('a number and its text are the same seed, other seeds differ', () => {
  expect(createRandom('42').next()).toBe(createRandom(42).next());
  const firsts = Array.from({ length: 10_000 }, (_, seed) => createRandom(seed).next());
  expect(new Set(firsts).size).toBe(10_000);
});

test('a fork does not depend on earlier draws and does not change its parent', () => {
  const fresh = createRandom('seed');
  const used = createRandom('seed');
  used.next();
  expect(used.fork('a').next()).toBe(fresh.fork('a').next());
  fresh.next();
  expect(used.next()).toBe(fresh.next());
});

test('forks with different labels, different parents or different depth differ', () => {
  const random = createRandom(1);
  const firsts = [
    random,
    random.fork('a'),
    random.fork('b'),
    random.fork('ab'),
    random.fork('a').fork('b'),
    random.fork('b').fork('a'),
    createRandom(2).fork('a'),
    createRandom('1a'),
  ].map((stream) => stream.next());
  expect(new Set(firsts).size).toBe(firsts.length);
});

test('numbers are uniform in [0, 1), alone and from fork to fork', () => {
  const random = createRandom('uniform');
  for (const draw of [() => random.next(), nextFork(random)]) {
    const counts = Array.from({ length: 20 }, () => 0);
    for (let i = 0; i < 20_000; i += 1) {
      const bin = Math.floor(draw() * 20);
      counts[bin] = (counts[bin] as number) + 1;
    }
    // The 0.999 quantile of chi-squared with 19 degrees of freedom is 43.8.
    expect(chiSquared(counts, 1000)).toBeLessThan(43.8);
  }
});

test('whole numbers are uniform below their bound, also when 2^32 is not a multiple of it', () => {
  const random = createRandom('bounded');
  const bound = 3 * 2 ** 30;
  const counts = [0, 0, 0];
  for (let i = 0; i < 30_000; i += 1) {
    const third = Math.floor(random.integer(bound) / 2 ** 30);
    counts[third] = (counts[third] as number) + 1;
  }
  // The 0.999 quantile of chi-squared with 2 degrees of freedom is 13.8.
  expect(chiSquared(counts, 10_000)).toBeLessThan(13.8);
});

test('every draw is within its bounds for any seed', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 2 ** 32 }), (seed, bound) => {
      const random = createRandom(seed);
      const share = random.next();
      const whole = random.integer(bound);
      expect(share >= 0 && share < 1).toBe(true);
      expect(Number.isInteger(whole) && whole >= 0 && whole < bound).toBe(true);
    }),
  );
});

test('an impossible bound is refused', () => {
  for (const bound of [0, -1, 1.5, 2 ** 33, Number.NaN]) {
    expect(() => createRandom(1).integer(bound)).toThrow(`bound is ${bound}`);
  }
});

function nextFork(random: { fork(label: number): { next(): number } }): () => number {
  let label = 0;
  return () => {
    label += 1;
    return random.fork(label).next();
  };
}

function chiSquared(counts: readonly number[], expected: number): number {
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

test.each([
  ['', 0, 0],
  ['', 1, 0x514e28b7],
  ['hello', 0, 0x248bfa47],
  ['The quick brown fox jumps over the lazy dog', 0x9747b28c, 0x2fa826cd],
])('the hash of "%s" with seed %d is that of the reference implementation', (text, seed, hash) => {
  expect(murmurHash(new TextEncoder().encode(text), seed)).toBe(hash);
});
