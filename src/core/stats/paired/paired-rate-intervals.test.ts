import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalQuantile } from '../normal.ts';
import { createRandom } from '../random.ts';
import { tangoInterval, tangoScore } from './tango-interval.ts';

const counts = fc.record({
  both: fc.nat(60),
  aOnly: fc.nat(30),
  bOnly: fc.nat(30),
  neither: fc.nat(60),
});

test('7 against 1 of 21 has the published limits', () => {
  // Fagerland, Lydersen & Laake, Statistics in Medicine 33 (2014): the airway data.
  const airway = { both: 1, aOnly: 7, bOnly: 1, neither: 12, confidence: 0.95 };
  expect(tangoInterval(airway)).toMatchObject({
    status: 'defined',
    n: 21,
    method: 'tango',
    confidence: 0.95,
  });
  expect(tangoInterval(airway).lower).toBeCloseTo(0.026003, 6);
  expect(tangoInterval(airway).upper).toBeCloseTo(0.517232, 6);
});

test('bots that agree in everything differ by at most z² / (n + z²)', () => {
  const interval = tangoInterval({ both: 40, aOnly: 0, bOnly: 0, neither: 10 });
  const z = normalQuantile(0.975);
  expect(interval).toMatchObject({ estimate: 0 });
  expect(interval.upper).toBeCloseTo((z * z) / (50 + z * z), 14);
  expect(interval.lower).toBeCloseTo(-(z * z) / (50 + z * z), 14);
});

test('the limits enclose the estimate within −1 and 1, and mirror when the bots are swapped', () => {
  fc.assert(
    fc.property(counts, (pairs) => {
      fc.pre(Object.values(pairs).some((count) => count > 0));
      const { lower, estimate, upper } = tangoInterval(pairs);
      const swapped = tangoInterval({ ...pairs, aOnly: pairs.bOnly, bOnly: pairs.aOnly });
      expect(lower).toBeGreaterThanOrEqual(-1 - 1e-15);
      expect(lower).toBeLessThanOrEqual(estimate as number);
      expect(upper).toBeGreaterThanOrEqual(estimate as number);
      expect(upper).toBeLessThanOrEqual(1 + 1e-15);
      expect(swapped.lower).toBeCloseTo(-(upper as number), 12);
    }),
  );
});

test("Tango's limits are where the score is z", () => {
  fc.assert(
    fc.property(counts, ({ both, aOnly, bOnly, neither }) => {
      const n = both + aOnly + bOnly + neither;
      fc.pre(aOnly + bOnly > 0 && n > aOnly + bOnly);
      const { lower, upper } = tangoInterval({ both, aOnly, bOnly, neither });
      expect(tangoScore({ aOnly, bOnly, n }, lower as number)).toBeCloseTo(normalQuantile(0.975), 6);
      expect(tangoScore({ aOnly, bOnly, n }, upper as number)).toBeCloseTo(normalQuantile(0.025), 6);
    }),
  );
});

test.each([50, 200])('with %d pairs 93 to 97 % are covered', (n) => {
  const random = createRandom(`pairs ${n}`);
  const runs = 4000;
  let covered = 0;
  for (let run = 0; run < runs; run += 1) {
    const drawn = { both: 0, aOnly: 0, bOnly: 0, neither: 0 };
    for (let pair = 0; pair < n; pair += 1) {
      const share = random.next();
      drawn[share < 0.6 ? 'both' : share < 0.75 ? 'aOnly' : share < 0.85 ? 'bOnly' : 'neither'] += 1;
    }
    const { lower, upper } = tangoInterval(drawn);
    if ((lower as number) <= 0.05 && (upper as number) >= 0.05) covered += 1;
  }
  expect(Math.abs(covered / runs - 0.95)).toBeLessThan(0.02);
});

test('no pairs have no estimate, and invalid counts are refused', () => {
  expect(tangoInterval({ both: 0, aOnly: 0, bOnly: 0, neither: 0 })).toMatchObject({
    estimate: null,
    reason: 'no pairs',
  });
  expect(() => tangoInterval({ both: 1, aOnly: 0.5, bOnly: 0, neither: 0 })).toThrow('aOnly is 0.5');
  expect(() => tangoInterval({ both: 1, aOnly: 0, bOnly: 0, neither: 0, confidence: 2 })).toThrow(
    'confidence is 2',
  );
});
