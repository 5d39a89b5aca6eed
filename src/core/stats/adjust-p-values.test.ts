import fc from 'fast-check';
import { expect, test } from 'vitest';
import { benjaminiHochberg, benjaminiYekutieli, holm } from './adjust-p-values.ts';

const RULES = [holm, benjaminiHochberg, benjaminiYekutieli];

// Benjamini & Hochberg 1995, section 4.
const MYOCARDIAL = [
  0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528,
  0.759, 1,
];

test("of the fifteen p-values of Benjamini & Hochberg their rule rejects four, Holm's three", () => {
  const rejected = (adjusted: readonly number[]) => adjusted.filter((p) => p <= 0.05).length;
  expect(rejected(benjaminiHochberg({ pValues: MYOCARDIAL }).adjusted)).toBe(4);
  expect(rejected(holm({ pValues: MYOCARDIAL }).adjusted)).toBe(3);
});

test('the adjusted p-values are those of R, in the order given', () => {
  // R: p.adjust(c(0.04, 0.01, 0.03), "holm"), p.adjust(1:5 / 100, "BY").
  expect(holm({ pValues: [0.04, 0.01, 0.03] }).adjusted).toEqual(
    [0.06, 0.03, 0.06].map((p) => expect.closeTo(p, 14)),
  );
  expect(benjaminiYekutieli({ pValues: [0.01, 0.02, 0.03, 0.04, 0.05] }).adjusted).toEqual(
    Array.from({ length: 5 }, () => expect.closeTo(0.1141667, 7)),
  );
});

const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 });

test('adjusted p-values keep their order, stay between p and 1, and do not depend on the order given', () => {
  fc.assert(
    fc.property(pValues, fc.constantFrom(...RULES), (all, rule) => {
      const { adjusted, n } = rule({ pValues: all });
      expect(n).toBe(all.length);
      for (const [place, p] of all.entries()) {
        expect(adjusted[place]).toBeGreaterThanOrEqual(p * (1 - 1e-15));
        expect(adjusted[place]).toBeLessThanOrEqual(1);
        for (const [other, q] of all.entries()) {
          if (p < q) expect(adjusted[place]).toBeLessThanOrEqual(adjusted[other] as number);
        }
      }
      expect(rule({ pValues: all.toReversed() }).adjusted.toReversed()).toEqual(adjusted);
    }),
  );
});

test('a single p-value is unchanged', () => {
  for (const rule of RULES) expect(rule({ pValues: [0.03] }).adjusted).toEqual([0.03]);
});

test('no p-values have no adjusted ones, and a number outside [0, 1] is refused', () => {
  for (const rule of RULES) {
    expect(rule({ pValues: [] })).toMatchObject({ n: 0, adjusted: [] });
    expect(() => rule({ pValues: [0.5, 1.5] })).toThrow('p-value 2 is 1.5; it must be from 0 to 1.');
  }
});
