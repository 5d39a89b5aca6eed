import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bradleyTerry } from './bradley-terry.ts';
import { eloExpectation, eloRatings, eloScale } from './elo.ts';
import { comparedPairs, type PreferenceCounts, tallyPreferences } from './tally-preferences.ts';
import { hasTieEstimate } from './win-order.ts';

function pair(a: string, b: string, [aWins, bWins, ties = 0]: readonly number[]): PreferenceCounts {
  return { a, b, aWins: aWins as number, bWins: bWins as number, ties };
}

// S. M. Stigler, Statistical Science 9 (1994): how often four journals cite each other.
const journals = [
  pair('Biometrika', 'Comm Statist', [730, 33]),
  pair('Biometrika', 'JASA', [498, 320]),
  pair('Biometrika', 'JRSS-B', [221, 284]),
  pair('Comm Statist', 'JASA', [68, 813]),
  pair('Comm Statist', 'JRSS-B', [17, 276]),
  pair('JASA', 'JRSS-B', [142, 325]),
];
const withTies = [
  pair('a', 'b', [20, 8, 12]),
  pair('a', 'c', [15, 9, 16]),
  pair('b', 'c', [7, 11, 22]),
  pair('a', 'd', [9, 10, 1]),
  pair('c', 'd', [8, 8, 4]),
];

function strengthsOf(options: Parameters<typeof bradleyTerry>[0]) {
  const found = bradleyTerry(options);
  if (found.status === 'undefined') throw new Error(found.reason);
  return found;
}

test('the journals have the strengths and standard errors of the R package BradleyTerry2', () => {
  const { targets, n, reference, tieParameter, caution } = strengthsOf({ preferences: journals });
  expect({ n, reference, tieParameter, caution }).toEqual({
    n: 3727,
    reference: 'Biometrika',
    tieParameter: null,
    caution: null,
  });
  const published = [
    [-2.949072, 0.102545],
    [-0.47957, 0.060589],
    [0.268954, 0.07083],
  ];
  expect(targets[0]).toMatchObject({ strength: 0, standardError: null, lower: null, elo: 1000 });
  for (const [place, [strength, error]] of published.entries()) {
    const target = targets[place + 1];
    expect(target?.strength).toBeCloseTo(strength as number, 6);
    expect(target?.standardError).toBeCloseTo(error as number, 6);
    expect(target?.lower).toBeCloseTo((strength as number) - 1.959964 * (error as number), 5);
  }
});

test('another reference shifts the strengths and leaves every difference as it is', () => {
  const first = strengthsOf({ preferences: journals });
  const second = strengthsOf({ preferences: journals, reference: 'JASA' });
  expect(second.reference).toBe('JASA');
  const shift = first.targets.find(({ target }) => target === 'JASA')?.strength as number;
  for (const { target, strength } of first.targets) {
    expect(second.targets.find((other) => other.target === target)?.strength).toBeCloseTo(
      strength - shift,
      12,
    );
  }
  for (const { a, b, estimate, standardError } of first.differences) {
    const other = second.differences.find(
      (found) => [found.a, found.b].toSorted().join() === [a, b].toSorted().join(),
    );
    expect(Math.abs(other?.estimate as number)).toBeCloseTo(Math.abs(estimate), 12);
    expect(other?.standardError).toBeCloseTo(standardError, 12);
  }
});

test("ties by Davidson's model have the maximum that mpmath finds", () => {
  // mpmath.findroot on the derivatives of the logarithm of the likelihood, 40 digits; errors from the inverse Hessian.
  const { targets, tieParameter, differences, caution } = strengthsOf({
    preferences: withTies,
    ties: 'davidson',
  });
  expect(caution).toBeNull();
  const expected = [
    [-0.842604650099815, 0.328144031247359],
    [-0.426094788205616, 0.3020369372202],
    [-0.135518179433589, 0.421505091817181],
  ];
  for (const [place, [strength, error]] of expected.entries()) {
    expect(targets[place + 1]?.strength).toBeCloseTo(strength as number, 12);
    expect(targets[place + 1]?.standardError).toBeCloseTo(error as number, 12);
  }
  expect(tieParameter).toBeCloseTo(1.0838780465083, 12);
  expect(differences.find(({ a, b }) => a === 'b' && b === 'c')?.standardError).toBeCloseTo(
    0.320931290949748,
    12,
  );
});

test('ties as half-wins, and a prior, have the values of the logistic regression of statsmodels', () => {
  // sm.GLM(wins and losses with ties halved, differences of indicators, family=sm.families.Binomial()).fit(tol=1e-14)
  const half = strengthsOf({ preferences: withTies });
  for (const [place, [strength, error]] of [
    [-0.545265756052415, 0.260355750982741],
    [-0.275792906745771, 0.242014267103741],
    [-0.087647963719193, 0.33923487031316],
  ].entries()) {
    expect(half.targets[place + 1]?.strength).toBeCloseTo(strength as number, 12);
    expect(half.targets[place + 1]?.standardError).toBeCloseTo(error as number, 12);
  }
  expect(half.caution).toBe('ties count as half-wins: the standard errors are nominal');
  // The same with 0.5 wins each way added for all six pairs, also the one that was never compared.
  const drawn = strengthsOf({ preferences: withTies, prior: 0.5 });
  for (const [place, [strength, error]] of [
    [-0.525589622816, 0.255394465622143],
    [-0.267814624488112, 0.238424942657381],
    [-0.096184941250664, 0.328243534849319],
  ].entries()) {
    expect(drawn.targets[place + 1]?.strength).toBeCloseTo(strength as number, 12);
    expect(drawn.targets[place + 1]?.standardError).toBeCloseTo(error as number, 12);
  }
  expect(drawn).toMatchObject({ n: 160, caution: expect.stringContaining('a prior of 0.5 wins') });
});

test('two targets differ by the logarithm of the odds of a win', () => {
  const { differences } = strengthsOf({ preferences: [pair('a', 'b', [30, 10])] });
  expect(differences[0]?.estimate).toBeCloseTo(Math.log(3), 12);
  expect(differences[0]?.standardError).toBeCloseTo(Math.sqrt(1 / 30 + 1 / 10), 12);
});

const counts = fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: 0, max: 6 })));
const tables = fc.tuple(counts, counts, counts, counts, counts, counts);
const pairNames = ['ab', 'ac', 'ad', 'bc', 'bd', 'cd'];

test('at the estimate every target is expected to win, and all to tie, as often as they did', () => {
  fc.assert(
    fc.property(tables, fc.constantFrom('half', 'davidson'), (numbers, ties) => {
      const preferences = numbers.map((found, place) =>
        pair(...(pairNames[place]?.split('') as [string, string]), found),
      );
      const found = bradleyTerry({ preferences, ties });
      if (found.status === 'undefined') return;
      const strength = new Map(found.targets.map((target) => [target.target, target.strength]));
      const nu = found.tieParameter ?? 0;
      const rest = new Map<string, number>();
      for (const { a, b, aWins, bWins, ties: tied = 0 } of preferences) {
        const [ofA, ofB] = [Math.exp(strength.get(a) as number), Math.exp(strength.get(b) as number)];
        const sum = ofA + ofB + nu * Math.sqrt(ofA * ofB);
        const n = aWins + bWins + tied;
        const expectedTies = (n * nu * Math.sqrt(ofA * ofB)) / sum;
        rest.set('ties', (rest.get('ties') ?? 0) + (found.tieParameter === null ? 0 : tied - expectedTies));
        rest.set(a, (rest.get(a) ?? 0) + aWins + tied / 2 - (n * ofA) / sum - expectedTies / 2);
        rest.set(b, (rest.get(b) ?? 0) + bWins + tied / 2 - (n * ofB) / sum - expectedTies / 2);
      }
      for (const value of rest.values()) expect(value).toBeCloseTo(0, 7);
    }),
  );
});

test.each([
  [
    'a target that never lost',
    [pair('a', 'b', [5, 0]), pair('a', 'c', [4, 0]), pair('b', 'c', [2, 1])],
    'half',
    'no other target won or tied against "a", so the difference has no bound',
  ],
  [
    'a target that always lost',
    [pair('a', 'c', [4, 0]), pair('a', 'b', [2, 1]), pair('b', 'c', [1, 0])],
    'half',
    'no other target won or tied against "a", "b", so',
  ],
  [
    'two groups',
    [pair('a', 'b', [5, 2]), pair('c', 'd', [4, 1])],
    'half',
    'no verdict decides between "a", "b" and "c", "d"',
  ],
  ['wins and ties without losses', [pair('a', 'b', [5, 0, 5])], 'davidson', 'ties outweigh wins'],
  ['ties alone', [pair('a', 'b', [0, 0, 7])], 'davidson', 'ties outweigh wins'],
  [
    'a cycle with as many ties as wins',
    [pair('a', 'b', [5, 0]), pair('b', 'c', [5, 0]), pair('c', 'd', [0, 0, 3]), pair('d', 'a', [0, 0, 3])],
    'davidson',
    'ties outweigh wins',
  ],
  ['no verdicts', [], 'half', 'no verdicts'],
] as const)(
  '%s: strengths are undefined without a prior, and finite with one',
  (_, preferences, ties, reason) => {
    const found = bradleyTerry({ preferences, ties });
    expect(found).toMatchObject({ status: 'undefined', targets: null, differences: null });
    expect('reason' in found ? found.reason : '').toContain(reason);
    if (preferences.length > 0)
      expect(bradleyTerry({ preferences, ties, prior: 0.5 }).status).toBe('defined');
  },
);

test('a cycle with more wins than ties has a finite parameter of ties', () => {
  const preferences = [pair('a', 'b', [5, 0]), pair('b', 'c', [5, 0]), pair('c', 'a', [0, 0, 3])];
  expect(bradleyTerry({ preferences, ties: 'davidson' })).toMatchObject({ status: 'defined' });
  expect(bradleyTerry({ preferences: journals, ties: 'davidson' })).toMatchObject({ tieParameter: 0 });
  const isFinite = (rows: readonly PreferenceCounts[]) =>
    hasTieEstimate(comparedPairs(tallyPreferences(rows)), 4);
  expect(isFinite(preferences)).toBe(true);
  expect(isFinite([pair('a', 'b', [5, 0]), pair('b', 'c', [0, 0, 3]), pair('c', 'a', [0, 0, 3])])).toBe(
    false,
  );
  expect(
    isFinite([
      pair('a', 'b', [5, 0]),
      pair('b', 'c', [5, 0]),
      pair('c', 'd', [0, 0, 3]),
      pair('d', 'a', [0, 0, 3]),
    ]),
  ).toBe(false);
});

test('400 points are odds of 10 : 1', () => {
  expect(eloExpectation(400)).toBeCloseTo(0.909091, 6);
  expect(eloScale({ strength: Math.log(10) })).toBeCloseTo(1400, 10);
  expect(eloScale({ strength: 0, base: 1500 })).toBe(1500);
});

test('Elo ratings depend on the order of the same verdicts, and the result says how much', () => {
  const games = [pair('a', 'b', [1, 0]), pair('a', 'b', [0, 1]), pair('a', 'b', [0, 0, 1])];
  // By hand: 1016/984; then −32 × 0.5459218 = 998.5305/1001.4695; then +0.1354.
  const [a, b] = eloRatings({ preferences: games });
  expect(a?.rating).toBeCloseTo(998.6658, 3);
  expect((a?.rating as number) + (b?.rating as number)).toBeCloseTo(2000, 9);
  const [swapped] = eloRatings({ preferences: games.toReversed() });
  expect(swapped?.rating).not.toBe(a?.rating);
  expect(a?.lowest).toBeLessThanOrEqual(swapped?.rating as number);
  expect(a?.highest).toBeGreaterThan(1001);
  expect(eloRatings({ preferences: games })).toEqual(eloRatings({ preferences: games }));
  expect(eloRatings({ preferences: games, orders: 0 })[0]).toMatchObject({
    lowest: a?.rating,
    highest: a?.rating,
  });
  expect(() => eloRatings({ preferences: journals })).toThrow('one verdict');
});

test('impossible preferences are refused', () => {
  expect(() => bradleyTerry({ preferences: [pair('a', 'a', [1, 0])] })).toThrow('another than a');
  expect(() => bradleyTerry({ preferences: [pair('a', 'b', [-1, 0])] })).toThrow('aWins is -1');
  expect(() => bradleyTerry({ preferences: journals, reference: 'Nature' })).toThrow('reference is Nature');
});
