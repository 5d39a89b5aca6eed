import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mcnemarSampleSize } from '../planning/sample-size.ts';
import { createRandom } from '../random.ts';
import { mcnemar, signTest } from './mcnemar.ts';

test('1 against 7 has the published p-values 0.0703 and 0.0391', () => {
  // Fagerland, Lydersen & Laake 2013: the airway data.
  const test = mcnemar({ aOnly: 1, bOnly: 7 });
  expect(test).toMatchObject({ status: 'defined', statistic: 1, n: 8, method: 'mcnemar-mid-p' });
  expect(test.exactPValue).toBeCloseTo(0.0703125, 14);
  expect(test.midPValue).toBeCloseTo(0.0390625, 14);
  expect(test.pValue).toBe(test.midPValue);
});

test('without discordant questions both p-values are 1', () => {
  expect(mcnemar({ aOnly: 0, bOnly: 0 })).toMatchObject({ n: 0, pValue: 1, exactPValue: 1 });
});

test('with equal counts the mid-p excludes half the chance of exactly these counts', () => {
  expect(mcnemar({ aOnly: 2, bOnly: 2 }).pValue).toBeCloseTo(1 - 6 / 16 / 2, 14);
});

test('with all discordant questions in one direction, an exact p below 5 % needs six of them, the mid-p five', () => {
  expect(mcnemar({ aOnly: 5, bOnly: 0 }).exactPValue).toBeGreaterThan(0.05);
  expect(mcnemar({ aOnly: 6, bOnly: 0 }).exactPValue).toBeLessThan(0.05);
  expect(mcnemar({ aOnly: 4, bOnly: 0 }).pValue).toBeGreaterThan(0.05);
  expect(mcnemar({ aOnly: 5, bOnly: 0 }).pValue).toBeLessThan(0.05);
});

test('the bots can be swapped, and the mid-p is never above the exact p', () => {
  const counts = fc.nat(300);
  fc.assert(
    fc.property(counts, counts, (aOnly, bOnly) => {
      const test = mcnemar({ aOnly, bOnly });
      expect(mcnemar({ aOnly: bOnly, bOnly: aOnly })).toEqual(test);
      expect(test.midPValue).toBeLessThanOrEqual(test.exactPValue);
      expect(test.midPValue).toBeGreaterThan(0);
    }),
  );
});

test('a planned number of questions detects the planned difference with the planned power', () => {
  const { n } = mcnemarSampleSize({ aOnly: 0.15, bOnly: 0.05 });
  const random = createRandom('discordant');
  let found = 0;
  for (let run = 0; run < 4000; run += 1) {
    let [aOnly, bOnly] = [0, 0];
    for (let question = 0; question < n; question += 1) {
      const share = random.next();
      if (share < 0.15) aOnly += 1;
      else if (share < 0.2) bOnly += 1;
    }
    if (mcnemar({ aOnly, bOnly }).pValue < 0.05) found += 1;
  }
  expect(found / 4000).toBeGreaterThan(0.77);
});

test('invalid counts are refused', () => {
  expect(() => mcnemar({ aOnly: -1, bOnly: 0 })).toThrow(
    'aOnly is -1; it must be a whole number of at least 0.',
  );
  expect(() => mcnemar({ aOnly: 1, bOnly: 0.5 })).toThrow('bOnly is 0.5');
});

test('ten wins without a loss have the one-sided chance 2⁻¹⁰, and no wins or no differences 1', () => {
  expect(signTest({ wins: 10, losses: 0 })).toBeCloseTo(2 ** -10, 15);
  expect(signTest({ wins: 13, losses: 1 })).toBeCloseTo(15 / 2 ** 14, 15);
  expect(signTest({ wins: 0, losses: 3 })).toBe(1);
  expect(signTest({ wins: 0, losses: 0 })).toBe(1);
  expect(() => signTest({ wins: -1, losses: 0 })).toThrow(RangeError);
});

test('the sign test of more wins is half of the exact test of a difference', () => {
  expect(signTest({ wins: 7, losses: 1 })).toBeCloseTo(mcnemar({ aOnly: 1, bOnly: 7 }).exactPValue / 2, 15);
});
