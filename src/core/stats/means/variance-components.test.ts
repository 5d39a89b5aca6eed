import fc from 'fast-check';
import { expect, test } from 'vitest';
import { varianceComponents } from './variance-components.ts';

const scores = fc.double({ min: 0, max: 1, noNaN: true });
const tables = fc
  .tuple(fc.integer({ min: 2, max: 8 }), fc.integer({ min: 2, max: 6 }))
  .chain(([n, repeats]) =>
    fc.array(fc.array(scores, { minLength: repeats, maxLength: repeats }), { minLength: n, maxLength: n }),
  );

test('the dyestuff of six batches has the components of the textbook', () => {
  // Box & Tiao 1973, table 5.1.2 (as in R: lme4 Dyestuff): MSB = 11271.5, MSW = 2451.25.
  const table = [
    [1545, 1440, 1440, 1520, 1580],
    [1540, 1555, 1490, 1560, 1495],
    [1595, 1550, 1605, 1510, 1560],
    [1445, 1440, 1595, 1465, 1545],
    [1595, 1630, 1515, 1635, 1625],
    [1520, 1455, 1450, 1480, 1445],
  ];
  const components = varianceComponents({ table });
  expect(components).toMatchObject({ status: 'defined', n: 6, repeats: 5, estimate: 1527.5 });
  expect(components.betweenVariance).toBeCloseTo((11_271.5 - 2451.25) / 5, 8);
  expect(components.withinVariance).toBeCloseTo(2451.25, 8);
});

test('the standard error is that of question means, never that of all runs', () => {
  fc.assert(
    fc.property(tables, (table) => {
      const { standardError, betweenVariance, withinVariance, intraclassCorrelation } = varianceComponents({
        table,
      });
      const repeats = (table[0] as number[]).length;
      fc.pre(intraclassCorrelation !== null && intraclassCorrelation > 0);
      const parts = (betweenVariance + withinVariance / repeats) / table.length;
      expect(standardError).toBeCloseTo(Math.sqrt(parts), 10);
    }),
  );
});

test('neither the order of questions nor that of repeats matters', () => {
  fc.assert(
    fc.property(tables, (table) => {
      const mixed = varianceComponents({ table: table.toReversed().map((row) => row.toReversed()) });
      const { betweenVariance, withinVariance } = varianceComponents({ table });
      expect(mixed.betweenVariance).toBeCloseTo(betweenVariance as number, 10);
      expect(mixed.withinVariance).toBeCloseTo(withinVariance as number, 10);
    }),
  );
});

test('noise larger than the spread of questions leaves no variance between them', () => {
  const components = varianceComponents({
    table: [
      [0, 1],
      [0, 1],
      [1, 0],
    ],
  });
  expect(components).toMatchObject({ betweenVariance: 0, withinVariance: 0.5, intraclassCorrelation: -1 });
});

test('questions may have unequal numbers of repeats, and one without repeats is left out', () => {
  const components = varianceComponents({ table: [[1, 1, 0], [], [0], [1, 0]] });
  expect(components).toMatchObject({ status: 'defined', n: 3, repeats: 2 });
  expect(components.estimate).toBeCloseTo((2 / 3 + 0 + 1 / 2) / 3, 15);
});

test('a component that cannot be estimated is null with a reason', () => {
  expect(varianceComponents({ table: [[], []] })).toMatchObject({ estimate: null, reason: 'no values' });
  expect(varianceComponents({ table: [[1, 0]] })).toMatchObject({
    status: 'undefined',
    estimate: 0.5,
    standardError: null,
    betweenVariance: null,
    reason: 'a single question',
  });
  expect(varianceComponents({ table: [[1], [0]] })).toMatchObject({
    status: 'undefined',
    estimate: 0.5,
    standardError: 0.5,
    withinVariance: null,
    reason: 'no question was repeated',
  });
  expect(
    varianceComponents({
      table: [
        [1, 1],
        [1, 1],
      ],
    }),
  ).toMatchObject({ intraclassCorrelation: null });
  expect(() => varianceComponents({ table: [[1, Number.NaN]] })).toThrow('value 2 is NaN');
});
