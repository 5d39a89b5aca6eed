import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cohensKappa } from './cohens-kappa.ts';
import { fleissKappa, gwetsAc1 } from './multi-rater-kappa.ts';
import { crossTable } from './rating-table.ts';

test('the worked example has its kappa, standard error and limits to six decimals', () => {
  const kappa = cohensKappa({
    table: [
      [138, 12],
      [9, 41],
    ],
  });
  expect(kappa.estimate).toBeCloseTo(0.72549, 6);
  expect(kappa.standardError).toBeCloseTo(0.056075, 6);
  // statsmodels: cohens_kappa([[138, 12], [9, 41]]).kappa_low is 0.6155853432894334.
  expect(kappa.lower).toBeCloseTo(0.615585, 6);
  expect(kappa.upper).toBeCloseTo(0.835395, 6);
});

test('the table 20, 5, 10, 15 has kappa 0.4 with the standard error 0.126996', () => {
  const kappa = cohensKappa({
    table: [
      [20, 5],
      [10, 15],
    ],
  });
  expect(kappa.estimate).toBeCloseTo(0.4, 12);
  expect(kappa.standardError).toBeCloseTo(0.126996, 6);
});

test('weighted kappas have the values of statsmodels', () => {
  // statsmodels.stats.inter_rater.cohens_kappa(table, wt=…): kappa, std_kappa, kappa_low, kappa_upp.
  const table = [
    [11, 3, 1],
    [4, 17, 5],
    [0, 2, 9],
  ];
  const expected = {
    none: [0.5522388059701493, 0.09799823834621708, 0.3601657882631917, 0.7443118236771069],
    linear: [0.6097560975609755, 0.09053311109357498, 0.43231446040920485, 0.7871977347127461],
    quadratic: [0.6785714285714285, 0.09022578048045875, 0.5017321483527123, 0.8554107087901447],
  };
  for (const weights of ['none', 'linear', 'quadratic'] as const) {
    const { estimate, standardError, lower, upper } = cohensKappa({ table, weights });
    for (const [place, value] of [estimate, standardError, lower, upper].entries()) {
      expect(value).toBeCloseTo(expected[weights][place]!, 10);
    }
  }
});

test('lists of verdicts give the kappa of their table, without items that one rater left out', () => {
  const a = ['yes', 'yes', 'no', 'no', null, 'yes'];
  const b = ['yes', 'no', 'no', 'no', 'yes', 'yes'];
  expect(crossTable({ a, b })).toEqual({
    categories: ['no', 'yes'],
    table: [
      [2, 0],
      [1, 2],
    ],
    leftOut: 1,
  });
  const ofTable = cohensKappa({
    table: [
      [2, 0],
      [1, 2],
    ],
  });
  expect(cohensKappa({ a, b })).toEqual({ ...ofTable, leftOut: 1 });
});

test('the table with almost only yes has a kappa below 0 and an AC1 near the raw agreement', () => {
  const ratings = [
    ...Array.from({ length: 118 }, () => [1, 1]),
    ...Array.from({ length: 5 }, () => [1, 0]),
    ...Array.from({ length: 2 }, () => [0, 1]),
  ];
  const kappa = cohensKappa({
    table: [
      [118, 5],
      [2, 0],
    ],
  });
  expect(kappa.observed).toBeCloseTo(0.944, 12);
  expect(kappa.estimate).toBeCloseTo(-0.023392, 6);
  // irrCAC.raw.CAC(ratings).gwet(), with n − 1.
  const ac1 = gwetsAc1({ ratings });
  expect(ac1.estimate).toBeCloseTo(0.940776337609, 10);
  expect(ac1.standardError).toBeCloseTo(0.023056964302, 10);
  expect(ac1.lower).toBeCloseTo(0.895140146616, 10);
  expect(ac1.upper).toBeCloseTo(0.986412528601, 10);
});

test('the AC1 of the worked example is 0.829990', () => {
  const pairs = [
    [138, 1, 1],
    [12, 1, 0],
    [9, 0, 1],
    [41, 0, 0],
  ] as const;
  const ratings = pairs.flatMap(([count, a, b]) => Array.from({ length: count }, () => [a, b]));
  expect(gwetsAc1({ ratings }).estimate).toBeCloseTo(0.82999, 6);
});

/** Fleiss 1971 as in the example of Wikipedia: 10 items, 14 raters, 5 categories. */
const fleissTable = [
  [0, 0, 0, 0, 14],
  [0, 2, 6, 4, 2],
  [0, 0, 3, 5, 6],
  [0, 3, 9, 2, 0],
  [2, 2, 8, 1, 1],
  [7, 7, 0, 0, 0],
  [3, 2, 6, 3, 0],
  [2, 5, 3, 2, 2],
  [6, 5, 2, 1, 0],
  [0, 2, 2, 3, 7],
];
const fleissRatings = fleissTable.map((row) =>
  row.flatMap((count, k) => Array.from({ length: count }, () => k)),
);

test("Fleiss' kappa has the published value .210", () => {
  // statsmodels fleiss_kappa: 0.20993070442195522; irrCAC.raw.CAC(ratings).fleiss() and .gwet().
  const kappa = fleissKappa({ ratings: fleissRatings });
  expect(kappa.estimate).toBeCloseTo(0.20993070442195522, 12);
  expect(kappa.standardError).toBeCloseTo(0.092371111606, 10);
  expect(kappa.lower).toBeCloseTo(0.000972732672, 10);
  expect(kappa.upper).toBeCloseTo(0.418888676172, 10);
  const ac1 = gwetsAc1({ ratings: fleissRatings });
  expect(ac1.estimate).toBeCloseTo(0.225614150817, 10);
  expect(ac1.standardError).toBeCloseTo(0.093324074471, 10);
});

test('missing ratings are treated as in irrCAC', () => {
  const _ = null;
  const raters = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
  ];
  const ratings = Array.from({ length: 12 }, (_, item) => raters.map((rater) => rater[item] ?? null));
  const [kappa, ac1] = [fleissKappa({ ratings }), gwetsAc1({ ratings })];
  expect(kappa.estimate).toBeCloseTo(0.761169275422, 10);
  expect(kappa.standardError).toBeCloseTo(0.153019203469, 10);
  expect(kappa.upper).toBe(1);
  expect(ac1.estimate).toBeCloseTo(0.775444068127, 10);
  expect(ac1.standardError).toBeCloseTo(0.142949950641, 10);
});

test('when all ratings are alike no coefficient is 1: each is undefined with the reason', () => {
  const reason = 'all ratings are alike';
  expect(
    cohensKappa({
      table: [
        [30, 0],
        [0, 0],
      ],
    }),
  ).toMatchObject({ estimate: null, lower: null, reason });
  const ratings = Array.from({ length: 30 }, () => [true, true]);
  const categories = [false, true];
  expect(gwetsAc1({ ratings, categories })).toMatchObject({ estimate: null, reason });
  expect(fleissKappa({ ratings, categories })).toMatchObject({ estimate: null, reason });
});

test('full agreement on different items is 1 without an interval, and nothing is null', () => {
  expect(
    cohensKappa({
      table: [
        [3, 0],
        [0, 4],
      ],
    }),
  ).toMatchObject({ status: 'undefined', estimate: 1, lower: null });
  expect(
    gwetsAc1({
      ratings: [
        [1, 1],
        [0, 0],
        [1, 1],
        [0, 0],
      ],
    }),
  ).toMatchObject({ status: 'undefined', estimate: 1 });
  expect(cohensKappa({ table: [] })).toMatchObject({ estimate: null, reason: 'no items' });
  expect(gwetsAc1({ ratings: [[1, null]] })).toMatchObject({
    estimate: null,
    reason: 'no item has two ratings',
  });
  expect(() => cohensKappa({ table: [[1, 2]] })).toThrow(RangeError);
  expect(() => cohensKappa({ a: ['x'], b: ['y'], categories: ['x'] })).toThrow(RangeError);
});

test('kappa is symmetric in its raters and at most 1', () => {
  const count = fc.integer({ min: 0, max: 30 });
  fc.assert(
    fc.property(
      fc.tuple(count, count, count, count),
      fc.constantFrom('none', 'linear', 'quadratic'),
      (cells, weights) => {
        const [a, b, c, d] = cells;
        const kappa = cohensKappa({
          table: [
            [a, b],
            [c, d],
          ],
          weights,
        });
        const turned = cohensKappa({
          table: [
            [a, c],
            [b, d],
          ],
          weights,
        });
        expect(turned.estimate === null).toBe(kappa.estimate === null);
        expect(turned.estimate ?? 0).toBeCloseTo(kappa.estimate ?? 0, 10);
        expect(kappa.estimate ?? 0).toBeLessThanOrEqual(1 + 1e-12);
      },
    ),
  );
});
