import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { bradleyTerry } from './bradley-terry.ts';
import { rankByPreference } from './rank-by-preference.ts';
import type { PreferenceCounts } from './tally-preferences.ts';

/** Draws verdicts on every two targets for each prompt from known strengths. */
function draw(
  strengths: Readonly<Record<string, number>>,
  prompts: number,
  seed: string,
): PreferenceCounts[] {
  const random = createRandom(seed);
  const names = Object.keys(strengths);
  return Array.from({ length: prompts }, (_, prompt) =>
    names.flatMap((a, place) =>
      names.slice(place + 1).map((b) => {
        const difference = (strengths[a] as number) - (strengths[b] as number);
        const isWon = random.next() < 1 / (1 + Math.exp(-difference));
        return { a, b, aWins: isWon ? 1 : 0, bWins: isWon ? 0 : 1, prompt };
      }),
    ),
  ).flat();
}

test('targets without a shown difference share a rank, and the weaker one has the next', () => {
  const preferences = draw({ weak: 0, strong: 1.5, alike: 1.4 }, 120, 'three');
  const ranking = rankByPreference({ preferences, resamples: 500 });
  expect(ranking).toMatchObject({ status: 'defined', n: 360, prompts: 120, seed: 0, caution: null });
  expect(ranking.targets?.map(({ target, rank, lastRank }) => [target, rank, lastRank]).toSorted()).toEqual([
    ['alike', 1, 2],
    ['strong', 1, 2],
    ['weak', 3, 3],
  ]);
  expect(ranking.targets?.reduce((sum, { strength }) => sum + strength, 0)).toBeCloseTo(0, 12);
  expect(ranking.targets?.reduce((sum, { elo }) => sum + elo, 0)).toBeCloseTo(3000, 9);
  const undecided = ranking.differences?.find(({ better }) => better === 'undecided');
  expect(new Set([undecided?.a, undecided?.b])).toEqual(new Set(['alike', 'strong']));
  expect(rankByPreference({ preferences, resamples: 500 })).toEqual(ranking);
  expect(rankByPreference({ preferences, resamples: 500, seed: 1 })).not.toEqual(ranking);
});

test('with one verdict on each prompt the bootstrap is close to the normal interval', () => {
  const preferences = draw({ a: 0.4, b: 0 }, 400, 'two');
  const [drawn] = rankByPreference({ preferences }).differences ?? [];
  const [normal] = bradleyTerry({ preferences }).differences ?? [];
  expect(drawn?.estimate).toBe(normal?.estimate);
  expect(Math.abs((drawn?.lower as number) - (normal?.lower as number))).toBeLessThan(0.03);
  expect(Math.abs((drawn?.upper as number) - (normal?.upper as number))).toBeLessThan(0.03);
});

test('ten copies of every verdict on a prompt make nothing more certain', () => {
  const once = draw({ a: 0.4, b: 0, c: 0.2 }, 60, 'copies');
  const copies = once.flatMap((row) => Array.from({ length: 10 }, () => row));
  const options = { resamples: 300 };
  const widths = [once, copies].map((preferences) =>
    rankByPreference({ preferences, ...options }).differences?.map(({ lower, upper }) => [lower, upper]),
  );
  for (const [place, limits] of (widths[1] ?? []).entries()) {
    for (const [end, limit] of limits.entries())
      expect(limit).toBeCloseTo(widths[0]?.[place]?.[end] as number, 9);
  }
});

test('of equal targets hardly more than one in twenty is called better', () => {
  let claims = 0;
  const rounds = 50;
  for (let round = 0; round < rounds; round += 1) {
    const preferences = draw({ a: 0, b: 0 }, 50, `equal ${round}`);
    const ranking = rankByPreference({ preferences, resamples: 200, seed: round });
    if (ranking.differences?.[0]?.better !== 'undecided') claims += 1;
  }
  expect(claims / rounds).toBeLessThan(0.1);
  expect(claims).toBeGreaterThan(0);
});

test('a difference that some resamples leave without bound keeps its lower limit', () => {
  const preferences = Array.from({ length: 20 }, (_, prompt) => ({
    a: 'a',
    b: 'b',
    aWins: prompt === 0 ? 0 : 1,
    bWins: prompt === 0 ? 1 : 0,
    prompt,
  }));
  const [difference] = rankByPreference({ preferences }).differences ?? [];
  expect(difference).toMatchObject({ upper: null, better: 'a', method: 'percentile-bootstrap' });
  expect(difference?.lower).toBeGreaterThan(1);
});

test('three wins of three rank nothing: undefined without a prior, and not decided with one', () => {
  const wins = (count: number) =>
    Array.from({ length: count }, (_, prompt) => ({ a: 'a', b: 'b', aWins: 1, bWins: 0, prompt }));
  expect(rankByPreference({ preferences: wins(3) })).toMatchObject({
    status: 'undefined',
    targets: null,
    reason: expect.stringContaining('no bound'),
    caution: 'only 3 prompts: too few for a bootstrap',
  });
  const few = rankByPreference({ preferences: wins(3), prior: 0.5 });
  expect(few.differences).toMatchObject([{ better: 'undecided', method: 'normal' }]);
  expect(few.targets?.map(({ rank, lastRank }) => [rank, lastRank])).toEqual([
    [1, 2],
    [1, 2],
  ]);
  const many = rankByPreference({ preferences: wins(12), prior: 0.5 });
  expect(many.differences).toMatchObject([{ better: 'a', method: 'normal' }]);
  expect(many.caution).toBe('a prior of 0.5 wins each way between any two targets');
});

test("ties by Davidson's model narrow the interval where most verdicts are ties", () => {
  const preferences = Array.from({ length: 100 }, (_, prompt) => ({
    a: 'a',
    b: 'b',
    aWins: prompt < 20 ? 1 : 0,
    bWins: prompt >= 20 && prompt < 26 ? 1 : 0,
    ties: prompt < 26 ? 0 : 1,
    prompt,
  }));
  expect(bradleyTerry({ preferences }).differences?.[0]?.lower).toBeLessThan(0);
  expect(rankByPreference({ preferences }).differences?.[0]?.better).toBe('a');
  const davidson = rankByPreference({ preferences, ties: 'davidson', resamples: 500 });
  expect(davidson.tieParameter).toBeCloseTo(74 / Math.sqrt(20 * 6), 9);
  expect(davidson.differences?.[0]?.better).toBe('a');
});
