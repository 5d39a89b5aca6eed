import { expect, test } from 'vitest';
import { createRandom } from '../../../core/stats/random.ts';
import { evaluateDifference } from './evaluate-difference.ts';
import { isReleaseTested } from '../../../../test/support/is-release-tested.ts';

const rule = {
  margin: 0.05,
  confidence: 0.95,
  subject: { measure: 'score' },
  unit: undefined,
  name: 'main',
} as const;
const draws = 500;

/** Returns the share of rounds in which the rule passes, each with newly drawn pairs. */
function passShare(n: number, draw: () => { now: number; before: number }, rounds = draws): number {
  let passed = 0;
  for (let round = 0; round < rounds; round += 1) {
    const pairs = Array.from({ length: n }, draw);
    const now = pairs.map((pair) => pair.now);
    const before = pairs.map((pair) => pair.before);
    if (evaluateDifference({ now, before, clusters: undefined }, rule).outcome === 'pass') passed += 1;
  }
  return passed / rounds;
}

// Three standard errors of a share of 5 % over 500 draws.
const slack = 3 * Math.sqrt((0.05 * 0.95) / draws);

test.each([100, 300])(
  'pass rates that are worse by exactly the margin pass about 5 times in 100, n = %i',
  (n) => {
    const random = createRandom(`rates ${n}`);
    const share = passShare(n, () => {
      const u = random.next();
      if (u < 0.05) return { now: 1, before: 0 };
      return u < 0.15 ? { now: 0, before: 1 } : { now: Number(u < 0.9), before: Number(u < 0.9) };
    });
    expect(share).toBeLessThan(0.05 + slack);
    expect(share).toBeGreaterThan(0.005);
  },
);

test.skipIf(!isReleaseTested)(
  'scores that are worse by exactly the margin pass in at most 5 % of runs, however rare the losses are (needs TOUCHSTONE_TEST_ALL=1)',
  () => {
    const random = createRandom('scores');
    const noisy = () => {
      const before = 0.3 + 0.4 * random.next();
      return { before, now: before - 0.05 + 0.4 * (random.next() - 0.5) };
    };
    const rare = () =>
      random.next() < 0.05 ? { before: 1, now: 0 } : { before: 0.9, now: 0.9 + 0.02 * (random.next() - 0.5) };
    for (const draw of [noisy, rare]) {
      for (const n of [20, 60])
        expect(passShare(n, draw, 150)).toBeLessThan(0.05 + 3 * Math.sqrt(0.0475 / 150));
    }
  },
);

test('equal pass rates are shown to be no worse with the planned power', () => {
  // (1.644854 + 0.841621)² · 0.1 / 0.05² = 247.3 questions for 80 %, and 38 for an unseen case.
  const random = createRandom('power');
  const share = passShare(286, () => {
    const u = random.next();
    return { now: Number(u >= 0.05), before: Number(u < 0.05 || u >= 0.1) };
  });
  expect(share).toBeGreaterThan(0.72);
  expect(share).toBeLessThan(0.86);
});

test('pairs that are all equal show no more than their number allows', () => {
  const found = evaluateDifference(
    { now: [0.4, 0.6, 0.8], before: [0.4, 0.6, 0.8], clusters: undefined },
    rule,
  );
  // At most a share 1 − 0.05^(1/3) of cases is worse than any of these, at worst by 1.
  expect(found).toMatchObject({ outcome: 'inconclusive', value: 0 });
  expect(found.lower).toBeCloseTo(0.05 ** (1 / 3) - 1, 10);
});
