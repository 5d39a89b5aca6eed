import fc from 'fast-check';
import { expect, test } from 'vitest';
import { betaQuantile, betaSplit, regularizedBeta } from './beta.ts';

// Independent values, computed with 330 digits from the power series with positive terms (mpmath).
const PROBABILITIES: [x: number, a: number, b: number, p: number][] = [
  [5e-13, 0.5, 0.5, 4.5015815807859057e-7],
  [0.32322330470336313, 0.5, 0.5, 0.3849732719186921],
  [0.6767766952966369, 0.5, 0.5, 0.615026728081308],
  [0.9999999995, 0.5, 0.5, 0.9999857647485415],
  [4.997501249375313e-16, 0.5, 1000, 7.975854600233114e-7],
  [0.00014663815743268114, 0.5, 1000, 0.4118384373296787],
  [0.0008528620924423812, 0.5, 1000, 0.8084981379655988],
  [0.008974437345053933, 0.5, 1000, 0.9999782022521627],
  [0.8995502248875562, 1000, 0.5, 5.941434796313337e-48],
  [0.998440913972548, 1000, 0.5, 0.0773450715974164],
  [0.9997501249375312, 1000, 0.5, 0.47963740350541056],
  [0.9999999999995003, 1000, 0.5, 0.999974779110823],
  [8.181818181818182e-13, 9, 2, 1.6430410669348253e-108],
  [0.4090909090909091, 9, 2, 0.002027545350711195],
  [0.819295222610356, 9, 2, 0.43683280545953174],
  [0.9851924824624895, 9, 2, 0.990882819058273],
  [9.09090909090909e-13, 10, 1, 3.855432894295315e-121],
  [0.45454545454545453, 10, 1, 0.000376507118583527],
  [0.9099207917537957, 10, 1, 0.3890772951628864],
  [0.9999090909090909, 10, 1, 0.9990912809015916],
  [9.565217391304348e-13, 5.5, 0.25, 5.911011361390022e-68],
  [0.4855629910355965, 5.5, 0.25, 0.002126091558756173],
  [0.9573066703772596, 5.5, 0.25, 0.2729928474720956],
  [0.9999999999565218, 5.5, 0.25, 0.9957358667258691],
  [3.322259136212625e-15, 0.01, 3, 0.7272802107119319],
  [0.0029900332225913625, 0.01, 3, 0.9576757716120741],
  [0.08952939178312337, 0.01, 3, 0.989131003923945],
  [0.5016611295681064, 0.01, 3, 0.9993200681407348],
  [8.823529411764705e-7, 45, 6, 7.58551526118201e-267],
  [0.6142748734190294, 45, 6, 0.000006495811887541406],
  [0.8827997379560663, 45, 6, 0.459568181926942],
  [0.9882352941176471, 45, 6, 0.9999729686359744],
  [6.6225165562913906e-15, 2, 300, 1.98017630805405e-24],
  [0.0033112582781456954, 2, 300, 0.2630206158652914],
  [0.006669112420180814, 2, 300, 0.5969030851396963],
  [0.03458003488994538, 2, 300, 0.9997043374014235],
  [0.24987506246876562, 500, 500.5, 8.849769641999754e-65],
  [0.45235150160497706, 500, 500.5, 0.001329625070941956],
  [0.49990812034863974, 500, 500.5, 0.5039905701762223],
  [0.5497751124437781, 500, 500.5, 0.9992423155166978],
  [0.896414342629482, 5000, 20, 1.1507623284791951e-203],
  [0.99334893987081, 5000, 20, 0.00489304913948624],
  [0.996414342629482, 5000, 20, 0.6513940764734529],
  [0.9986829326391502, 5000, 20, 0.9999800252921438],
  [0.4499955000449996, 50000, 50001, 7.279867489656896e-221],
  [0.4952516309934375, 50000, 50001, 0.0013496978562017995],
  [0.5000108112801881, 50000, 50001, 0.5039893348060454],
  [0.5047383691065616, 50000, 50001, 0.9986503006489942],
  [0.484999515000485, 500000, 500001, 4.008498402046588e-198],
  [0.4984995015004985, 500000, 500001, 0.0013498780647272898],
  [0.5000044999955, 500000, 500001, 0.5039893535887421],
  [0.5014994985005015, 500000, 500001, 0.9986501218879995],
  [9.999990000010001e-19, 0.5, 500000, 7.978839623897357e-7],
  [2.9289398657725134e-7, 0.5, 500000, 0.4116279976841595],
  [0.0000017071040134247487, 0.5, 500000, 0.8086385370189817],
  [0.00001797051932217097, 0.5, 500000, 0.9999775665186054],
  [0.9980503200746527, 999000, 1001, 5.482385597961966e-125],
  [0.9989515669546817, 999000, 1001, 0.06844903936057996],
  [0.9990148123497715, 999000, 1001, 0.6886827788821611],
  [0.9990991009008992, 999000, 1001, 0.9994562520740178],
];
// Independent values, computed with 40 digits by bisection of mpmath's betainc.
const QUANTILES: [p: number, a: number, b: number, x: number][] = [
  [0.025, 9, 2, 0.5549838829718046],
  [0.975, 10, 1, 0.9974714214555382],
  [0.05, 45, 6, 0.8011669974835816],
  [0.5, 2, 3, 0.38572756813238956],
  [0.999, 3, 7, 0.761151699875383],
  [1e-12, 20, 5, 0.16344360432024083],
  [1e-6, 4, 0.5, 0.043537028494897045],
  [0.3, 0.1, 0.2, 0.0002597000949009343],
  [1e-6, 0.5, 1000, 7.855945374762634e-16],
  [1e-12, 0.5, 1000, 7.855945374758524e-28],
  [1e-9, 1, 5000, 2.0000000009998e-13],
  [0.01, 0.05, 3, 2.3000470006648417e-41],
];

test.each(PROBABILITIES)('regularizedBeta at %d for shapes %d and %d is %d', (x, a, b, p) => {
  expect(Math.abs(regularizedBeta({ x, a, b }) / p - 1)).toBeLessThan(a + b > 1e5 ? 1e-11 : 1e-12);
});

test.each(PROBABILITIES)('betaQuantile returns to %d for shapes %d and %d', (x, a, b, p) => {
  // Towards p = 1 the rounding of p itself decides how well x is known.
  const tolerance = p < 0.9 ? 1e-12 : 1e-10;
  expect(Math.abs(betaQuantile({ p, a, b }) / x - 1)).toBeLessThan(tolerance);
});

test.each(QUANTILES)('betaQuantile of %d for shapes %d and %d is %d', (p, a, b, x) => {
  expect(Math.abs(betaQuantile({ p, a, b }) / x - 1)).toBeLessThan(1e-12);
});

test('the ends of the scale are exact', () => {
  expect(regularizedBeta({ x: 0, a: 2, b: 3 })).toBe(0);
  expect(regularizedBeta({ x: 1, a: 2, b: 3 })).toBe(1);
  expect(betaQuantile({ p: 0, a: 2, b: 3 })).toBe(0);
  expect(betaQuantile({ p: 1, a: 2, b: 3 })).toBe(1);
});

test('an upper probability of 1e-30 still has its own quantile', () => {
  // Beta(1, 2): P(X > x) = (1 − x)².
  expect(1 - betaSplit({ lower: 1, upper: 1e-30, a: 1, b: 2 })).toBeCloseTo(1e-15, 16);
});

const shapes = fc.double({ min: -2, max: 6, noNaN: true }).map((power) => 10 ** power);
const inside = fc.double({ min: 1e-9, max: 1 - 1e-9, noNaN: true });

test('swapping the shapes mirrors the distribution', () => {
  fc.assert(
    fc.property(inside, shapes, shapes, (x, a, b) => {
      const mirrored = regularizedBeta({ x: 1 - x, a: b, b: a });
      const point = regularizedBeta({ x: 1 - (1 - x), a, b });
      expect(point + mirrored).toBeCloseTo(1, 10);
    }),
  );
});

test('the distribution is increasing and stays within 0 and 1', () => {
  fc.assert(
    fc.property(inside, inside, shapes, shapes, (x, other, a, b) => {
      const low = regularizedBeta({ x: Math.min(x, other), a, b });
      const high = regularizedBeta({ x: Math.max(x, other), a, b });
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      expect(high - low).toBeGreaterThanOrEqual(-1e-11 * high);
    }),
  );
});

test('the quantile inverts the distribution function for shapes from 0.01 to a million', () => {
  fc.assert(
    fc.property(inside, shapes, shapes, (p, a, b) => {
      const x = betaQuantile({ p, a, b });
      // Smaller doubles have fewer digits, and near 1 the digits are in 1 − x.
      fc.pre(x > 1e-290 && x < 0.9);
      expect(Math.abs(regularizedBeta({ x, a, b }) / p - 1)).toBeLessThan(1e-9);
    }),
    { numRuns: 1000 },
  );
});

test('arguments outside the domain are refused', () => {
  expect(() => regularizedBeta({ x: 2, a: 1, b: 1 })).toThrow('x is 2; it must be from 0 to 1.');
  expect(() => regularizedBeta({ x: 0.5, a: 0, b: 1 })).toThrow('a is 0; it must be positive and finite.');
  expect(() => betaQuantile({ p: -0.1, a: 1, b: 1 })).toThrow(RangeError);
  expect(() => betaQuantile({ p: 0.1, a: 1, b: Number.NaN })).toThrow(RangeError);
});
