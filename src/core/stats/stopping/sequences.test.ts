import fc from 'fast-check';
import { expect, test } from 'vitest';
import { meanInterval } from '../mean-interval.ts';
import { createRandom } from '../random.ts';
import { bettingSequence } from './betting-sequence.ts';

const scores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 60 });

test('the limits of betting stay in 0 to 1 around the mean, and mirror with the scores', () => {
  fc.assert(
    fc.property(scores, (values) => {
      const { lower, estimate, upper } = bettingSequence({ values });
      const mirrored = bettingSequence({ values: values.map((value) => 1 - value) });
      expect(lower).toBeGreaterThanOrEqual(0);
      expect(lower).toBeLessThanOrEqual(estimate as number);
      expect(upper).toBeGreaterThanOrEqual(estimate as number);
      expect(upper).toBeLessThanOrEqual(1);
      expect(mirrored.lower).toBeCloseTo(1 - (upper as number), 10);
    }),
  );
});

test('looked at after every case without a difference, betting decides and misses at most 5 %', () => {
  const random = createRandom('looks');
  const wrong = { pass: 0, fail: 0, missed: 0 };
  const runs = 300;
  for (let run = 0; run < runs; run += 1) {
    const values: number[] = [];
    let isDecided = false;
    let isMissed = false;
    for (let look = 0; look < 50; look += 1) {
      // A against B where both are alike: (A − B + 1) / 2, mostly ties.
      values.push(random.next() < 0.6 ? 0.5 : Math.round(random.next()));
      const { decision, lower, upper } = bettingSequence({ values, threshold: 0.5 });
      if (!isDecided && (decision === 'pass' || decision === 'fail')) {
        wrong[decision] += 1;
        isDecided = true;
      }
      if (!isMissed && ((lower as number) > 0.5 || (upper as number) < 0.5)) {
        wrong.missed += 1;
        isMissed = true;
      }
    }
  }
  for (const count of Object.values(wrong)) expect(count / runs).toBeLessThan(0.07);
});

test('a clear difference is decided long before a fixed number of cases', () => {
  const random = createRandom('clear');
  let looks = 0;
  for (let run = 0; run < 100; run += 1) {
    const values: number[] = [];
    do values.push(random.next() < 0.5 ? 0.5 : random.next() < 0.9 ? 1 : 0);
    while (bettingSequence({ values, threshold: 0.5 }).decision === 'continue' && values.length < 200);
    looks += values.length;
    expect(bettingSequence({ values, threshold: 0.5 }).decision).toBe('pass');
  }
  expect(looks / 100).toBeLessThan(200 / 3);
});

test('the interval of many scores is at most about three t intervals wide', () => {
  const random = createRandom('many');
  const values = Array.from({ length: 2000 }, () => random.next());
  const width = ({ lower, upper }: { lower: number | null; upper: number | null }) =>
    (upper as number) - (lower as number);
  const ratio = width(bettingSequence({ values })) / width(meanInterval({ values }));
  expect(ratio).toBeGreaterThan(1);
  expect(ratio).toBeLessThan(3);
});

test('no cases decide nothing, and invalid arguments are refused', () => {
  expect(bettingSequence({ values: [], threshold: 0.5 })).toMatchObject({
    status: 'undefined',
    estimate: null,
    decision: 'continue',
    eValue: 1,
    reason: 'no values',
  });
  expect(() => bettingSequence({ values: [0.5, 1.5] })).toThrow('value 2 is 1.5; it must be from 0 to 1.');
  expect(() => bettingSequence({ values: [], threshold: 1 })).toThrow('threshold is 1');
});
