import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalQuantile } from './normal.ts';
import { studentTCdf, studentTQuantile } from './student-t.ts';

// Independent values, computed with 420 digits from power series with positive terms (mpmath).
const PROBABILITIES: [t: number, degreesOfFreedom: number, p: number][] = [
  [-0.1, 0.5, 0.4731658105643032],
  [-2.5, 0.5, 0.20048526452664658],
  [-20, 0.5, 0.07169748051423032],
  [-1000000000, 0.5, 0.000010141455301466058],
  [-0.1, 1, 0.4682744825694464],
  [-2.5, 1, 0.1211189415908434],
  [-20, 1, 0.015902251256176374],
  [-1000000000, 1, 3.1830988618379065e-10],
  [-0.1, 2, 0.4647327192070701],
  [-2.5, 2, 0.06480586011075541],
  [-20, 2, 0.0012453319461835485],
  [-1000000000, 2, 5.0e-19],
  [-0.1, 3, 0.4633261744004029],
  [-2.5, 3, 0.04385332350403277],
  [-20, 3, 0.00013660162512365586],
  [-1000000000, 3, 1.1026577908435842e-27],
  [-0.1, 4.7, 0.46223420636739804],
  [-2.5, 4.7, 0.028796079673433648],
  [-20, 4.7, 0.000004970162181035146],
  [-1000000000, 4.7, 3.321667935276962e-42],
  [-0.1, 9, 0.4612682239783406],
  [-2.5, 9, 0.01693091384149287],
  [-20, 9, 4.539760649958272e-9],
  [-1000000000, 9, 2.5458970371070177e-78],
  [-0.1, 11, 0.4610717963885731],
  [-2.5, 11, 0.014753187043682094],
  [-20, 11, 2.6721625392675554e-10],
  [-1000000000, 11, 6.280824036373686e-95],
  [-0.1, 30, 0.4605048058951356],
  [-2.5, 30, 0.009057824534033348],
  [-20, 30, 3.3745418328856433e-19],
  [-1000000000, 30, 1.0364534652562061e-249],
  [-0.1, 199.5, 0.4602223716945793],
  [-1.96, 199.5, 0.02569416429797366],
  [-8, 199.5, 4.984861570316038e-14],
  [-100, 199.5, 1.0428014131747404e-172],
  [-0.1, 1000, 0.46018218451180204],
  [-1.96, 1000, 0.025136592477874357],
  [-8, 1000, 1.7133307411957373e-15],
  [-37, 1000, 8.650394404956531e-190],
  [-0.1, 1000000, 0.46017217274602157],
  [-1.96, 1000000, 0.024998033792634895],
  [-8, 1000000, 6.22753171660126e-16],
  [-37, 1000000, 9.149865430901131e-300],
  [-0.1, 100000000, 0.4601721628232015],
  [-1.96, 100000000, 0.024997896534664055],
  [-8, 100000000, 6.221026254114769e-16],
  [-37, 100000000, 5.752499888411458e-300],
];
// Independent values, computed with 60 digits by root finding on mpmath's betainc.
const QUANTILES: [p: number, degreesOfFreedom: number, t: number][] = [
  [0.025, 1, -12.706204736174705],
  [0.025, 2, -4.302652729749464],
  [0.025, 11, -2.2009851600916397],
  [0.025, 9, -2.2621571627982053],
  [0.005, 29, -2.7563859036706053],
  [0.05, 4, -2.1318467863266504],
  [1e-6, 7, -14.241469651981445],
  [0.025, 263, -1.9690249739032768],
  [0.4, 3, -0.27667066233268983],
];

test.each(PROBABILITIES)('studentTCdf at %d with %d degrees of freedom is %d', (t, degreesOfFreedom, p) => {
  expect(Math.abs(studentTCdf({ t, degreesOfFreedom }) / p - 1)).toBeLessThan(1e-12);
});

test.each(PROBABILITIES)(
  'studentTQuantile returns to %d with %d degrees of freedom',
  (t, degreesOfFreedom, p) => {
    expect(Math.abs(studentTQuantile({ p, degreesOfFreedom }) / t - 1)).toBeLessThan(1e-12);
  },
);

test.each(QUANTILES)('studentTQuantile of %d with %d degrees of freedom is %d', (p, degreesOfFreedom, t) => {
  expect(Math.abs(studentTQuantile({ p, degreesOfFreedom }) / t - 1)).toBeLessThan(1e-13);
});

test('one degree of freedom is the Cauchy distribution, out to where t² overflows', () => {
  expect(studentTQuantile({ p: 0.75, degreesOfFreedom: 1 })).toBeCloseTo(1, 14);
  expect(studentTCdf({ t: -1e200, degreesOfFreedom: 1 }) * Math.PI * 1e200).toBeCloseTo(1, 10);
  expect(studentTQuantile({ p: 1e-200, degreesOfFreedom: 1 }) * Math.PI * 1e-200).toBeCloseTo(-1, 10);
});

test('a billion degrees of freedom are the normal distribution', () => {
  expect(studentTQuantile({ p: 0.975, degreesOfFreedom: 1e9 })).toBeCloseTo(normalQuantile(0.975), 8);
});

test('the ends and the middle are exact', () => {
  expect(studentTQuantile({ p: 0.5, degreesOfFreedom: 5 })).toBe(0);
  expect(studentTQuantile({ p: 0, degreesOfFreedom: 5 })).toBe(-Infinity);
  expect(studentTQuantile({ p: 1, degreesOfFreedom: 5 })).toBe(Infinity);
  expect(studentTCdf({ t: 0, degreesOfFreedom: 5 })).toBe(0.5);
  expect(studentTCdf({ t: Infinity, degreesOfFreedom: 5 })).toBe(1);
  expect(studentTCdf({ t: -Infinity, degreesOfFreedom: 5 })).toBe(0);
});

const degrees = fc.double({ min: -0.5, max: 7, noNaN: true }).map((power) => 10 ** power);

test('the quantile is symmetric and inverts the distribution function', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-12, max: 0.5, noNaN: true }), degrees, (p, degreesOfFreedom) => {
      const t = studentTQuantile({ p, degreesOfFreedom });
      expect(Math.abs(studentTCdf({ t, degreesOfFreedom }) / p - 1)).toBeLessThan(1e-11);
      fc.pre(1 - (1 - p) === p);
      expect(studentTQuantile({ p: 1 - p, degreesOfFreedom })).toBeCloseTo(-t, 14);
    }),
  );
});

test('fewer degrees of freedom have heavier tails', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.6, max: 0.999, noNaN: true }), degrees, (p, degreesOfFreedom) => {
      const heavy = studentTQuantile({ p, degreesOfFreedom });
      const light = studentTQuantile({ p, degreesOfFreedom: degreesOfFreedom * 1.1 });
      expect(heavy).toBeGreaterThanOrEqual(light * (1 - 1e-12));
    }),
  );
});

test('arguments outside the domain are refused', () => {
  expect(() => studentTQuantile({ p: 0.9, degreesOfFreedom: 0 })).toThrow('degreesOfFreedom is 0');
  expect(() => studentTCdf({ t: Number.NaN, degreesOfFreedom: 3 })).toThrow(RangeError);
});
