import { expect, test } from 'vitest';
import { boundedMeanBounds } from '../means/bounded-mean.ts';
import { clustersForMargin, pairsForMargin, powerOfPairs } from './margin-size.ts';
import { nonInferioritySampleSize, trialsWithoutFailure } from './sample-size.ts';

const margin = 0.05;

test.each([
  [0.02, 0, 49.460458],
  [0.05, 0, 123.651145],
  [0.1, 0, 247.302289],
  [0.2, 0, 494.604578],
  [0.05, 0.02, 62.58262],
  [0.1, 0.02, 125.669939],
  [0.2, 0.02, 251.844576],
])('the formula for %d discordant pairs at a true difference of %d', (discordance, difference, unrounded) => {
  const standardDeviation = Math.sqrt(discordance - difference ** 2);
  const { unrounded: found } = nonInferioritySampleSize({ standardDeviation, margin, difference });
  expect(Math.abs(found - unrounded)).toBeLessThan(1e-6);
});

test('by the bound of gates it takes 109, 170 and 289 pairs, and over 300 where one in five differs', () => {
  const pairs = [0.02, 0.05, 0.1].map((discordance) => pairsForMargin({ discordance, margin }).n);
  expect(pairs).toEqual([109, 170, 289]);
  expect(powerOfPairs({ discordance: 0.2, margin, n: 300 })).toBeCloseTo(0.57, 1);
  expect(pairsForMargin({ discordance: 0.2, margin }).isExact).toBe(false);
});

test('fewer than 59 pairs never rule out a loss of 5 points', () => {
  const least = [0.01, 0.02, 0.03, 0.05, 0.1].map((share) =>
    trialsWithoutFailure({ share, confidence: 0.95 }),
  );
  expect(least).toEqual([299, 149, 99, 59, 29]);
  expect(pairsForMargin({ discordance: 0, margin })).toEqual({ n: 59, isExact: true });
  expect(powerOfPairs({ discordance: 0, margin, n: 58 })).toBe(0);
});

test.each([
  [10, 0.3, 0, 3.7, 94],
  [10, 1, 0, 10, 249],
  [5, 0.3, 0, 2.2, 111],
  [10, 0.3, 1, 6.7, 168],
])(
  'clusters of %d with a correlation of %d and a variation of %d',
  (size, correlation, variation, deff, clusters) => {
    const found = clustersForMargin({ discordance: 0.1, margin, size, correlation, variation });
    expect(found).toEqual({ clusters, designEffect: expect.closeTo(deff, 12) });
  },
);

test('the power is the sum over all numbers of wins and losses for which the bound of gates lies above the margin', () => {
  const [n, discordance, difference] = [70, 0.04, 0.01];
  const chances = [(discordance + difference) / 2, (discordance - difference) / 2] as const;
  let power = 0;
  let ofLosses = (1 - chances[1]) ** n;
  for (let losses = 0; losses < 8; losses += 1) {
    const [rest, p] = [n - losses, chances[0] / (1 - chances[1])];
    let ofWins = (1 - p) ** rest;
    for (let wins = 0; wins < 12; wins += 1) {
      const values = Array.from(
        { length: n },
        (_, place) => Number(place < wins) - Number(place >= n - losses),
      );
      const { lower } = boundedMeanBounds({ values, range: [-1, 1] });
      if ((lower ?? -1) > -margin) power += ofLosses * ofWins;
      ofWins *= ((rest - wins) / (wins + 1)) * (p / (1 - p));
    }
    ofLosses *= ((n - losses) / (losses + 1)) * (chances[1] / (1 - chances[1]));
  }
  expect(powerOfPairs({ discordance, difference, margin, n })).toBeCloseTo(power, 6);
});
