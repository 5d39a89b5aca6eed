import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flakiness } from './flakiness.ts';

test('one of four tasks is flaky, and one is unknown', () => {
  expect(
    flakiness({
      counts: [
        { n: 4, c: 4 },
        { n: 4, c: 0 },
        { n: 4, c: 1 },
        { n: 1, c: 1 },
      ],
    }),
  ).toEqual({
    status: 'defined',
    n: 3,
    leftOut: 1,
    flakyShare: 1 / 3,
    totalAgreement: 2 / 3,
    disagreement: expect.closeTo((2 * 1 * 3) / (4 * 3) / 3, 15),
    intraclassCorrelation: expect.closeTo(0.75, 14),
  });
});

test('disagreement is twice the sample variance of the attempts', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 50 }).chain((n) => fc.tuple(fc.constant(n), fc.nat(n))),
      ([n, c]) => {
        const variance = (c * (1 - c / n) ** 2 + (n - c) * (c / n) ** 2) / (n - 1);
        expect(flakiness({ counts: [{ n, c }] }).disagreement).toBeCloseTo(2 * variance, 12);
      },
    ),
  );
});

test('single attempts have no flakiness', () => {
  expect(flakiness({ counts: [{ n: 1, c: 1 }] })).toMatchObject({
    status: 'undefined',
    n: 0,
    leftOut: 1,
    flakyShare: null,
    reason: 'no task has two attempts',
  });
  expect(
    flakiness({
      counts: [
        { n: 3, c: 3 },
        { n: 3, c: 3 },
      ],
    }),
  ).toMatchObject({
    flakyShare: 0,
    totalAgreement: 1,
    disagreement: 0,
    intraclassCorrelation: null,
  });
  expect(() => flakiness({ counts: [{ n: 2, c: 3 }] })).toThrow('c of task 1 is 3');
});
