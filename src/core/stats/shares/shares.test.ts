import fc from 'fast-check';
import { expect, test } from 'vitest';
import { benjaminiHochberg, holm } from '../adjust-p-values.ts';
import { readersAgreement } from '../agreement/two-readers.ts';
import { tangoInterval } from '../paired/tango-interval.ts';
import { mcnemar } from '../paired/mcnemar.ts';
import { clopperPearsonInterval, wilsonInterval } from '../proportion-interval.ts';
import { fisherExact } from './fisher-exact.ts';
import { hypergeometricCdf, hypergeometricProbability } from './hypergeometric.ts';
import { readingsForWidth, readingsToSee } from './readings.ts';
import { differenceOfShares, shareInRun, stratifiedShare } from './share-in-run.ts';
import { shareOfCases } from './share-of-cases.ts';
import { failuresUntilKnown, unseenShare } from './unseen-share.ts';

// Reference values: scipy 1.17.1 and statsmodels 0.15.0, to six digits.
const six = (value: number | null | undefined) => Number((value ?? Number.NaN).toFixed(6));

test.each([
  [{ successes: 7, sampled: 60, size: 180 }, [11, 37], [0.061111, 0.205556], [0.048215, 0.225716]],
  [{ successes: 7, sampled: 60, size: 1000 }, [50, 222], [0.05, 0.222], [0.048215, 0.225716]],
  [{ successes: 0, sampled: 50, size: 180 }, [0, 10], [0, 0.055556], [0, 0.071122]],
  [{ successes: 9, sampled: 40, size: 80 }, [12, 27], [0.15, 0.3375], null],
  [{ successes: 60, sampled: 60, size: 60 }, [60, 60], [1, 1], null],
])(
  'the share of a run of %o lies between the numbers that a test does not reject',
  (read, counts, limits, elsewhere) => {
    const { least, most, lower, upper } = shareInRun(read);
    expect([least, most]).toEqual(counts);
    expect([lower, upper].map(six)).toEqual(limits);
    if (elsewhere === null) return;
    const other = clopperPearsonInterval({ successes: read.successes, trials: read.sampled });
    expect([other.lower, other.upper].map(six)).toEqual(elsewhere);
  },
);

test('a one-sided limit of 95 % is that of a two-sided 90 %', () => {
  expect(shareInRun({ successes: 0, sampled: 50, size: 180, confidence: 0.9 }).most).toBe(8);
});

test('of 120 answers of which 40 are read, the share is covered at least 95.65 % of the time, whatever it is', () => {
  const [size, sampled] = [120, 40];
  const limits = Array.from({ length: sampled + 1 }, (_, successes) =>
    shareInRun({ successes, sampled, size }),
  );
  let least = 1;
  for (let marked = 0; marked <= size; marked += 1) {
    let covered = 0;
    for (const [found, { least: low, most: high }] of limits.entries())
      if ((low ?? 0) <= marked && marked <= (high ?? 0))
        covered += hypergeometricProbability({ found, size, marked, sampled });
    least = Math.min(least, covered);
  }
  expect(Number(least.toFixed(4))).toBe(0.9565);
});

test('chances without replacement add up to 1, and the sum of the small ones is exact', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.nat(), fc.nat(), fc.nat(), (size, a, b, c) => {
      const [marked, sampled] = [a % (size + 1), b % (size + 1)];
      const found = c % (sampled + 1);
      let sum = 0;
      for (let each = 0; each <= found; each += 1)
        sum += hypergeometricProbability({ found: each, size, marked, sampled });
      expect(hypergeometricCdf({ found, size, marked, sampled })).toBeCloseTo(sum, 10);
    }),
  );
});

test('parts of a run that were read in different shares are weighted by their sizes', () => {
  const of = (failed: number, passed: number) =>
    stratifiedShare({
      strata: [
        { successes: failed, sampled: 40, size: 80 },
        { successes: passed, sampled: 40, size: 320 },
      ],
    });
  const some = of(9, 1);
  expect([some.estimate, some.standardError, some.lower, some.upper].map(six)).toEqual([
    0.065, 0.020962, 0.041951, 0.1457,
  ]);
  const none = of(9, 0);
  expect([none.estimate, none.lower, none.upper].map(six)).toEqual([0.045, 0.03, 0.113784]);
});

test('a part of which nothing was read leaves the share unknown, and an empty part is no part', () => {
  const read = { successes: 1, sampled: 4, size: 8 };
  expect(stratifiedShare({ strata: [read, { successes: 0, sampled: 0, size: 3 }] })).toMatchObject({
    status: 'undefined',
    estimate: null,
    reason: 'nothing was read of a part of the answers',
  });
  expect(stratifiedShare({ strata: [read, { successes: 0, sampled: 0, size: 0 }] })).toMatchObject({
    estimate: 0.25,
    method: 'hypergeometric',
  });
});

test('several answers to one question count as what they say together', () => {
  const counts = [3, 3, 2, 1, ...Array.from({ length: 16 }, () => 0)];
  const share = shareOfCases({ cases: counts.map((successes) => ({ successes, answers: 3 })) });
  const { estimate, standardError, designEffect, effectiveAnswers, lower, upper } = share;
  expect([estimate, standardError, designEffect, effectiveAnswers, lower, upper].map(six)).toEqual([
    0.15, 0.074437, 2.607499, 23.010554, 0.056032, 0.34411,
  ]);
  const alike = shareOfCases({ cases: counts.map(() => ({ successes: 0, answers: 3 })) });
  expect(alike).toMatchObject({ effectiveAnswers: 20, lower: 0, designEffect: null });
});

test('two readers agree by the table, by positive agreement, AC1 and kappa', () => {
  const { raw, positive, ac1, kappa } = readersAgreement({
    both: 5,
    onlyFirst: 2,
    onlySecond: 1,
    neither: 32,
  });
  expect(
    [kappa?.estimate, kappa?.standardError, ac1.estimate, ac1.standardError, positive.value].map(six),
  ).toEqual([0.724771, 0.149621, 0.896951, 0.061717, 0.769231]);
  expect([raw.estimate, raw.lower, raw.upper].map(six)).toEqual([0.925, 0.801358, 0.974164]);
  expect(readersAgreement({ both: 4, onlyFirst: 2, onlySecond: 1, neither: 33 }).kappa).toBeNull();
});

test.each([
  [0, 0, [0.216106, 0.091398, 0.04656]],
  [1, 1, [0.282619, 0.120614, 0.061619]],
  [2, 1, [0.343664, 0.147837, 0.075711]],
  [3, 2, [0.401028, 0.173791, 0.089196]],
  [5, 3, [0.507818, 0.22317, 0.114985]],
])(
  'with %i kinds seen once and %i twice, the share of unseen kinds has the limits of the reference',
  (once, twice, limits) => {
    const found = [20, 50, 100].map((failures) => unseenShare({ failures, once, twice }).upper);
    expect(found.map(six)).toEqual(limits);
  },
);

test('reading ends when the limit falls below 10 or 5 %', () => {
  const needed = (limit: number) =>
    [0, 1, 2, 3].map((once) => once + failuresUntilKnown({ failures: once, once, twice: 0 }, { limit }));
  expect(needed(0.1)).toEqual([46, 61, 76, 89]);
  expect(needed(0.05)).toEqual([93, 124, 153, 181]);
  expect(failuresUntilKnown({ failures: 40, once: 1, twice: 0 })).toBe(21);
  expect(unseenShare({ failures: 40, once: 1, twice: 0 }).upper).toBeCloseTo(0.149, 3);
  expect(unseenShare({ failures: 3, once: 3, twice: 0 }).upper).toBe(1);
});

test.each([
  [0.02, [149, 105, 129], [52, 42, 48]],
  [0.05, [59, 51, 56], [90, 63, 77]],
  [0.1, [29, 27, 28], [155, 88, 119]],
])('a mode of the share %d takes as many readings as the reference says', (share, toSee, forWidth) => {
  const sizes = [undefined, 200, 500];
  expect(sizes.map((size) => readingsToSee({ share, size }))).toEqual(toSee);
  expect(sizes.map((size) => readingsForWidth({ share, size }))).toEqual(forWidth);
});

test('two runs over the same answers are compared by pairs, over modes by Holm', () => {
  const { estimate, lower, upper } = tangoInterval({ both: 0, aOnly: 4, bOnly: 12, neither: 84 });
  expect([estimate, lower, upper].map(six)).toEqual([-0.08, -0.165588, -0.001783]);
  const { midPValue, exactPValue } = mcnemar({ aOnly: 12, bOnly: 4 });
  expect([midPValue, exactPValue].map(six)).toEqual([0.049042, 0.076813]);
  const pValues = [0.0042, 0.019, 0.031, 0.21, 0.74];
  expect(holm({ pValues }).adjusted.map(six)).toEqual([0.021, 0.076, 0.093, 0.42, 0.74]);
  expect(benjaminiHochberg({ pValues }).adjusted.map(six)).toEqual([0.021, 0.0475, 0.051667, 0.2625, 0.74]);
});

test('shares of different answers differ by their own limits', () => {
  // Newcombe 1998, table II: 56/70 against 48/80, method 10.
  const { estimate, lower, upper } = differenceOfShares({
    a: { ...wilson(56, 70) },
    b: { ...wilson(48, 80) },
  });
  expect([estimate, lower, upper].map((value) => Number(value?.toFixed(4)))).toEqual([0.2, 0.0524, 0.3339]);
});

test('a mode that is concentrated in a category is told by the exact test, over all cells by Holm', () => {
  const cells = [
    [9, 20],
    [2, 25],
    [1, 15],
    [3, 20],
  ] as const;
  const pValues = cells.map(([successes, trials]) =>
    fisherExact({ successes, trials, otherSuccesses: 15 - successes, otherTrials: 80 - trials }),
  );
  expect(pValues.map(six)).toEqual([0.001432, 0.127766, 0.279878, 0.749787]);
  expect(holm({ pValues }).adjusted.map(six)).toEqual([0.005729, 0.383297, 0.559756, 0.749787]);
  expect(fisherExact({ successes: 0, trials: 0, otherSuccesses: 3, otherTrials: 5 })).toBe(1);
});

function wilson(successes: number, trials: number) {
  return wilsonInterval({ successes, trials });
}
