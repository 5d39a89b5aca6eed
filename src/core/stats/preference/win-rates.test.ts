import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { lengthControlledWinRate } from './length-controlled-win-rate.ts';
import { type PreferenceOutcome, winRate } from './win-rate.ts';

const outcomesOf = (wins: number, ties: number, losses: number): PreferenceOutcome[] => [
  ...Array<PreferenceOutcome>(wins).fill('win'),
  ...Array<PreferenceOutcome>(ties).fill('tie'),
  ...Array<PreferenceOutcome>(losses).fill('loss'),
];

test('48 wins, 12 ties and 40 losses are 0.54 ± 0.046969, and not ± 0.049840 as for a proportion', () => {
  // numpy: np.array([1]*48 + [.5]*12 + [0]*40); v.std(ddof=1) / 10
  const found = winRate({ outcomes: outcomesOf(48, 12, 40) });
  expect(found).toMatchObject({ status: 'defined', estimate: 0.54, n: 100, wins: 48, ties: 12, losses: 40 });
  expect(found.standardError).toBeCloseTo(0.04696871944241833, 14);
  expect(found.method).toBe('tango');
  expect(found.lower).toBeCloseTo(0.54 - 1.96 * 0.047, 2);
  expect(found.upper).toBeCloseTo(0.54 + 1.96 * 0.047, 2);
});

test('without ties the limits are those of Wilson', () => {
  // R: prop.test(81, 263, correct = FALSE)$conf.int; published in R. G. Newcombe, Statistics in Medicine 17 (1998).
  const found = winRate({ outcomes: outcomesOf(81, 0, 182) });
  expect(found.lower).toBeCloseTo(0.255289, 6);
  expect(found.upper).toBeCloseTo(0.36621, 5);
});

test('wins alone and ties alone have an interval with a width, within 0 and 1', () => {
  const wins = winRate({ outcomes: outcomesOf(10, 0, 0) });
  expect(wins).toMatchObject({ estimate: 1, upper: 1, standardError: 0 });
  expect(wins.lower).toBeCloseTo(0.722467, 5);
  const ties = winRate({ outcomes: outcomesOf(0, 10, 0) });
  expect(ties.estimate).toBe(0.5);
  expect(ties.lower).toBeLessThan(0.4);
  expect(ties.upper).toBeGreaterThan(0.6);
});

test('the rates of two targets add up to 1, and so do their limits', () => {
  const count = fc.integer({ min: 0, max: 30 });
  fc.assert(
    fc.property(count, count, count, (wins, ties, losses) => {
      const ours = winRate({ outcomes: outcomesOf(wins, ties, losses) });
      const theirs = winRate({ outcomes: outcomesOf(losses, ties, wins) });
      if (ours.status === 'undefined') {
        expect(wins + ties + losses).toBe(0);
        return;
      }
      expect(ours.estimate + (theirs.estimate as number)).toBeCloseTo(1, 12);
      expect(ours.lower + (theirs.upper as number)).toBeCloseTo(1, 9);
      expect(ours.lower).toBeGreaterThanOrEqual(0);
      expect(ours.upper).toBeLessThanOrEqual(1);
    }),
  );
});

test('several verdicts on one prompt count by the spread of prompts', () => {
  // numpy: CR2 of the mean, sqrt(sum over prompts of (sum of residuals)^2 / (1 - size / n)) / n
  const outcomes = Array.from('WWTLLWTWWLWW', (letter) => ({ W: 'win', T: 'tie', L: 'loss' })[letter]);
  const clusters = [0, 0, 0, 1, 1, 2, 2, 3, 3, 3, 4, 4];
  const found = winRate({ outcomes: outcomes as PreferenceOutcome[], clusters });
  expect(found).toMatchObject({
    n: 12,
    clusters: 5,
    method: 'effective-wilson',
    wins: 7,
    ties: 2,
    losses: 3,
  });
  expect(found.estimate).toBeCloseTo(2 / 3, 14);
  expect(found.standardError).toBeCloseTo(0.1451372275290348, 13);
  const copies = outcomesOf(6, 2, 2).flatMap((outcome) => [outcome, outcome, outcome]);
  const prompts = copies.map((_, place) => Math.floor(place / 3));
  const alone = winRate({ outcomes: outcomesOf(6, 2, 2) });
  expect(winRate({ outcomes: copies, clusters: prompts }).standardError).toBeCloseTo(
    alone.standardError as number,
    12,
  );
  expect(
    winRate({ outcomes: outcomesOf(6, 2, 2), clusters: outcomesOf(1, 4, 5).map((_, place) => place) }),
  ).toEqual(alone);
});

test('the interval covers 93 to 98 % of the time, with ties and near the end of the scale', () => {
  const random = createRandom('win rate');
  for (const [win, tie] of [
    [0.5, 0.2],
    [0.9, 0.06],
    [0.1, 0.8],
  ] as const) {
    let covered = 0;
    for (let run = 0; run < 1500; run += 1) {
      const outcomes = Array.from({ length: 40 }, (): PreferenceOutcome => {
        const draw = random.next();
        if (draw < win) return 'win';
        return draw < win + tie ? 'tie' : 'loss';
      });
      const { lower, upper } = winRate({ outcomes });
      if ((lower as number) <= win + tie / 2 && win + tie / 2 <= (upper as number)) covered += 1;
    }
    expect(covered / 1500).toBeGreaterThan(0.93);
    expect(covered / 1500).toBeLessThan(0.985);
  }
});

test('no verdicts have no rate, and one prompt no interval', () => {
  expect(winRate({ outcomes: [] })).toMatchObject({
    estimate: null,
    lower: null,
    standardError: null,
    reason: 'no verdicts',
  });
  expect(winRate({ outcomes: ['win', 'loss'], clusters: ['a', 'a'] })).toMatchObject({
    estimate: 0.5,
    lower: null,
    standardError: null,
    reason: 'a single cluster shows no spread',
  });
  expect(winRate({ outcomes: ['win'] }).standardError).toBeNull();
  expect(() => winRate({ outcomes: ['win'], clusters: [] })).toThrow('clusters.length is 0; it must be 1.');
});

const preferences = [1, 1, 0, 1, 0.5, 0, 1, 1, 0, 1, 1, 0, 0.5, 1, 0, 1];
const lengthDifferences = [120, 80, -60, 200, 10, -90, 40, -20, 30, 150, 60, -130, -10, 90, 70, -50];

test('the win rate at equal lengths is that of the logistic regression of statsmodels', () => {
  // sm.GLM(preferences, sm.add_constant(np.tanh(d / np.std(d, ddof=1))), family=sm.families.Binomial())
  //   .fit(cov_type='HC0'); scipy.special.expit(b0 ± 1.959963984540054 se)
  const found = lengthControlledWinRate({ preferences, lengthDifferences });
  expect(found).toMatchObject({ status: 'defined', raw: 0.625, ridge: 0, caution: null, n: 16 });
  expect(found.slope).toBeCloseTo(1.98306109, 8);
  expect(found.estimate).toBeCloseTo(0.5594824417709385, 12);
  expect(found.lower).toBeCloseTo(0.29913544109447104, 11);
  expect(found.upper).toBeCloseTo(0.7907648475684242, 11);
});

test('with several verdicts on a prompt its limits are those of cov_type="cluster"', () => {
  // The same with cov_type='cluster', cov_kwds={'groups': ..., 'use_correction': False}.
  const clusters = preferences.map((_, place) => Math.floor(place / 2));
  const found = lengthControlledWinRate({ preferences, lengthDifferences, clusters });
  expect(found).toMatchObject({ clusters: 8 });
  expect(found.lower).toBeCloseTo(0.35768054954870454, 11);
  expect(found.upper).toBeCloseTo(0.7433720291650823, 11);
});

test('when every longer answer wins, a ridge keeps the slope finite and the result says so', () => {
  // scipy.optimize.minimize of the negative log-likelihood + slope^2 / 2, BFGS.
  const found = lengthControlledWinRate({
    preferences: [1, 1, 1, 0, 0, 0],
    lengthDifferences: [30, 20, 50, -10, 5, -40],
  });
  expect(found).toMatchObject({ raw: 0.5, ridge: 1, caution: expect.stringContaining('ridge 1') });
  expect(found.slope).toBeCloseTo(1.04438, 5);
  expect(found.estimate).toBeCloseTo(0.4446188, 6);
});

test('a rate at equal lengths that no pair comes near says that it is extrapolated', () => {
  const found = lengthControlledWinRate({ preferences: [1, 0, 1, 0], lengthDifferences: [10, 20, 40, 30] });
  expect(found).toMatchObject({
    ridge: 0,
    caution: 'one side is always longer: equal lengths are extrapolated',
  });
});

test('seen from the other target the rate is 1 minus the rate', () => {
  const other = lengthControlledWinRate({
    preferences: preferences.map((value) => 1 - value),
    lengthDifferences: lengthDifferences.map((value) => -value),
  });
  const found = lengthControlledWinRate({ preferences, lengthDifferences });
  expect(other.estimate).toBeCloseTo(1 - (found.estimate as number), 12);
  expect(other.lower).toBeCloseTo(1 - (found.upper as number), 12);
});

test('what cannot be controlled for length has no rate and a reason', () => {
  const reasonOf = (options: { preferences: number[]; lengthDifferences: number[] }) => {
    const { estimate, lower, ...rest } = lengthControlledWinRate(options);
    expect([estimate, lower]).toEqual([null, null]);
    return 'reason' in rest ? rest.reason : undefined;
  };
  expect(reasonOf({ preferences: [], lengthDifferences: [] })).toBe('no verdicts');
  expect(reasonOf({ preferences: [1, 1], lengthDifferences: [3, 5] })).toContain('all verdicts are alike');
  expect(reasonOf({ preferences: [0.5, 0.5, 0.5], lengthDifferences: [3, 5, -1] })).toContain('are alike');
  expect(reasonOf({ preferences: [1, 0], lengthDifferences: [5, 5] })).toContain('do not vary');
  expect(() => lengthControlledWinRate({ preferences: [2], lengthDifferences: [1] })).toThrow('from 0 to 1');
});
