import fc from 'fast-check';
import { expect, test } from 'vitest';
import { regularizedBeta } from './beta.ts';
import { logGamma } from './gamma.ts';
import type { DefinedInterval, Interval } from './interval.ts';
import {
  clopperPearsonInterval,
  clopperPearsonLowerBound,
  jeffreysInterval,
  wilsonInterval,
  wilsonLowerBound,
} from './proportion-interval.ts';

const RULES = [
  wilsonInterval,
  clopperPearsonInterval,
  wilsonLowerBound,
  clopperPearsonLowerBound,
  jeffreysInterval,
];
const TWO_SIDED = [wilsonInterval, clopperPearsonInterval, jeffreysInterval];

// Independent values, computed with 40 digits or more from the closed form and by bisection of mpmath's betainc.
const EXPECTED = [
  {
    successes: 9,
    trials: 10,
    confidence: 0.95,
    wilson: [0.5958499732047615, 0.9821237869049271],
    exact: [0.5549838829718047, 0.9974714214555382],
  },
  {
    successes: 1,
    trials: 1000,
    confidence: 0.99,
    wilson: [0.00011741635361832112, 0.008460566219981695],
    exact: [0.000005012529260777511, 0.007406286938352937],
  },
  {
    successes: 81,
    trials: 263,
    confidence: 0.95,
    wilson: [0.2552885198782742, 0.36620957698280004],
    exact: [0.25273674558527115, 0.36762192260135135],
  },
  {
    successes: 999,
    trials: 1000,
    confidence: 0.95,
    wilson: [0.9943574414020421, 0.999823453629374],
    exact: [0.9944410757201734, 0.9999746825125088],
  },
  {
    successes: 0,
    trials: 30,
    confidence: 0.9,
    wilson: [0, 0.08272430812509934],
    exact: [0, 0.09503385285530415],
  },
  {
    successes: 1,
    trials: 100000,
    confidence: 0.95,
    wilson: [0.0000017652477303783128, 0.00005664709659040965],
    exact: [2.5317804779333164e-7, 0.00005571516034774275],
  },
  {
    successes: 450,
    trials: 500,
    confidence: 0.95,
    wilson: [0.8705780903680599, 0.9233224372626982],
    exact: [0.8702909143377969, 0.9248641849335745],
  },
];

function defined(interval: Interval): DefinedInterval {
  if (interval.status === 'undefined') throw new Error(interval.reason);
  return interval;
}

function expectLimits(interval: Interval, [lower, upper]: readonly number[], digits: number): void {
  expect(interval.lower).toBeCloseTo(lower as number, digits);
  expect(interval.upper).toBeCloseTo(upper as number, digits);
}

test.each(EXPECTED)('$successes of $trials has the limits of the closed forms', (expected) => {
  const { wilson, exact, ...proportion } = expected;
  for (const [interval, limits] of [
    [wilsonInterval(proportion), wilson],
    [clopperPearsonInterval(proportion), exact],
  ] as const) {
    const { lower, upper } = defined(interval);
    expect(Math.abs(lower - (limits[0] as number))).toBeLessThanOrEqual(1e-12 * lower);
    expect(Math.abs(upper - (limits[1] as number))).toBeLessThanOrEqual(1e-12 * upper);
  }
});

test("Wilson's interval has the published limits", () => {
  // Newcombe 1998: 81 of 263.
  expectLimits(wilsonInterval({ successes: 81, trials: 263, confidence: 0.95 }), [0.2553, 0.3662], 4);
  expectLimits(wilsonInterval({ successes: 9, trials: 10, confidence: 0.95 }), [0.59585, 0.982124], 6);
  expectLimits(wilsonInterval({ successes: 10, trials: 10, confidence: 0.95 }), [0.722467, 1], 6);
  expectLimits(wilsonInterval({ successes: 45, trials: 50, confidence: 0.95 }), [0.786398, 0.956524], 6);
  expectLimits(wilsonInterval({ successes: 38, trials: 50, confidence: 0.95 }), [0.625873, 0.857026], 6);
});

test('the exact interval and the one-sided bounds have their known limits', () => {
  const gate = { successes: 45, trials: 50, confidence: 0.95 };
  expectLimits(clopperPearsonInterval({ ...gate, successes: 9, trials: 10 }), [0.554984, 0.997471], 6);
  expectLimits(clopperPearsonInterval({ ...gate, successes: 17, trials: 20 }), [0.621073, 0.967929], 6);
  expectLimits(wilsonLowerBound(gate), [0.808462, 1], 6);
  expectLimits(clopperPearsonLowerBound(gate), [0.801167, 1], 6);
});

test("Jeffreys' interval lies within the exact one, and has the limits that R computes", () => {
  // R: round(qbeta(c(0.025, 0.975), x + 0.5, 10.5 - x), 3) for x = 1 to 5.
  const limitsOfR = [
    [0.011, 0.381],
    [0.044, 0.503],
    [0.093, 0.606],
    [0.153, 0.696],
    [0.224, 0.776],
  ];
  for (const [index, limits] of limitsOfR.entries()) {
    const counts = { successes: index + 1, trials: 10 };
    const exact = defined(clopperPearsonInterval(counts));
    const { lower, upper } = defined(jeffreysInterval(counts));
    expectLimits(jeffreysInterval(counts), limits, 3);
    expect(lower > exact.lower && upper < exact.upper).toBe(true);
  }
});

test('without a failure in 30 trials the failure rate is at most 1 − α^(1/30): the rule of three', () => {
  const bound = clopperPearsonLowerBound({ successes: 30, trials: 30, confidence: 0.95 });
  expect(1 - defined(bound).lower).toBeCloseTo(0.095034, 6);
  expect(defined(bound).lower).toBeCloseTo(0.05 ** (1 / 30), 13);
});

test.each([
  [0, 59],
  [1, 93],
  [2, 124],
])('with %d failures it takes %d trials to show a rate of 0.95', (failures, trials) => {
  const lowerFor = (n: number) =>
    defined(clopperPearsonLowerBound({ successes: n - failures, trials: n, confidence: 0.95 })).lower;
  expect(lowerFor(trials)).toBeGreaterThanOrEqual(0.95);
  expect(lowerFor(trials - 1)).toBeLessThan(0.95);
});

test.each([
  [30, 30],
  [49, 50],
  [96, 100],
  [188, 200],
  [462, 500],
])('%d of %d is the fewest that shows a rate of 0.9', (successes, trials) => {
  const lowerFor = (x: number) =>
    defined(clopperPearsonLowerBound({ successes: x, trials, confidence: 0.95 })).lower;
  expect(lowerFor(successes)).toBeGreaterThanOrEqual(0.9);
  expect(lowerFor(successes - 1)).toBeLessThan(0.9);
});

test('20 of 20 cannot show a rate of 0.9', () => {
  const bound = clopperPearsonLowerBound({ successes: 20, trials: 20, confidence: 0.95 });
  expect(defined(bound).lower).toBeLessThan(0.9);
});

test.each([
  [10, 0.9, 0.93, 0.987],
  [30, 0.9, 0.974, 0.992],
  [100, 0.95, 0.966, 0.983],
  [300, 0.95, 0.955, 0.967],
  [1000, 0.95, 0.95, 0.958],
])('with %d trials at rate %d the coverage is %d (Wilson) and %d (exact)', (trials, p, wilson, exact) => {
  expect(coverage(wilsonInterval, trials, p)).toBeCloseTo(wilson, 3);
  expect(coverage(clopperPearsonInterval, trials, p)).toBeCloseTo(exact, 3);
});

test.each([
  [20, 0.9, 0.985],
  [100, 0.93, 0.98],
  [300, 0.94, 0.97],
])(
  'with %d trials Wilson covers %d to %d at every rate, and 94.5 to 95.5 % on average',
  (trials, least, most) => {
    const rates = Array.from({ length: 49 }, (_, i) => 0.5 + i / 100);
    const covered = rates.map((rate) => coverage(wilsonInterval, trials, rate));
    expect(Math.min(...covered)).toBeGreaterThan(least);
    expect(Math.max(...covered)).toBeLessThan(most);
    expect(covered.reduce((sum, share) => sum + share, 0) / covered.length).toBeCloseTo(0.95, 2);
  },
);

test('the default confidence is 95 %', () => {
  for (const rule of RULES) {
    const given = rule({ successes: 3, trials: 7, confidence: 0.95 });
    expect(rule({ successes: 3, trials: 7 })).toEqual(given);
  }
});

test('no trials have no estimate and no limits, with a reason', () => {
  for (const rule of RULES) {
    expect(rule({ successes: 0, trials: 0, confidence: 0.95 })).toMatchObject({
      status: 'undefined',
      estimate: null,
      lower: null,
      upper: null,
      reason: 'no attempts',
      n: 0,
    });
  }
});

test('each interval names its method, its n and its confidence', () => {
  const methods = RULES.map((rule) => rule({ successes: 1, trials: 4, confidence: 0.9 }));
  expect(methods).toMatchObject(
    ['wilson', 'clopper-pearson', 'wilson-one-sided', 'clopper-pearson-one-sided', 'jeffreys'].map(
      (method) => {
        return { status: 'defined', method, n: 4, confidence: 0.9, estimate: 0.25 };
      },
    ),
  );
});

const counts = fc
  .integer({ min: 1, max: 2000 })
  .chain((trials) => fc.record({ trials: fc.constant(trials), successes: fc.nat(trials) }));
const confidences = fc.double({ min: 0.5, max: 0.9999, noNaN: true });

test('the limits enclose the estimate within 0 and 1', () => {
  fc.assert(
    fc.property(counts, confidences, fc.constantFrom(...RULES), (count, confidence, rule) => {
      const { lower, estimate, upper } = defined(rule({ ...count, confidence }));
      expect(lower).toBeGreaterThanOrEqual(0);
      expect(lower).toBeLessThanOrEqual(estimate + 1e-15);
      expect(upper).toBeGreaterThanOrEqual(estimate - 1e-15);
      expect(upper).toBeLessThanOrEqual(1);
    }),
  );
});

test('the ends are exactly 0 without successes and exactly 1 without failures', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), confidences, (trials, confidence) => {
      for (const rule of RULES) {
        expect(rule({ successes: 0, trials, confidence }).lower).toBe(0);
        expect(rule({ successes: trials, trials, confidence }).upper).toBe(1);
      }
    }),
  );
});

test('failures have the mirrored interval of successes', () => {
  fc.assert(
    fc.property(
      counts,
      confidences,
      fc.constantFrom(...TWO_SIDED),
      ({ successes, trials }, confidence, rule) => {
        const interval = defined(rule({ successes, trials, confidence }));
        const mirrored = defined(rule({ successes: trials - successes, trials, confidence }));
        expect(mirrored.lower).toBeCloseTo(1 - interval.upper, 12);
      },
    ),
  );
});

test('more successes raise both limits and more confidence widens the interval', () => {
  fc.assert(
    fc.property(
      counts,
      confidences,
      fc.constantFrom(...TWO_SIDED),
      ({ successes, trials }, confidence, rule) => {
        const interval = defined(rule({ successes, trials, confidence }));
        const surer = defined(rule({ successes, trials, confidence: (1 + confidence) / 2 }));
        const better = defined(rule({ successes: successes + 1, trials: trials + 1, confidence }));
        expect(surer.lower).toBeLessThanOrEqual(interval.lower);
        expect(surer.upper).toBeGreaterThanOrEqual(interval.upper);
        expect(better.lower).toBeGreaterThanOrEqual(interval.lower - 1e-13);
      },
    ),
  );
});

test('the exact limits leave half of α beyond them', () => {
  fc.assert(
    fc.property(counts, confidences, ({ successes, trials }, confidence) => {
      fc.pre(successes > 0 && successes < trials);
      const { lower, upper } = defined(clopperPearsonInterval({ successes, trials, confidence }));
      const tail = (1 - confidence) / 2;
      const atLeast = regularizedBeta({ x: lower, a: successes, b: trials - successes + 1 });
      const atMost = 1 - regularizedBeta({ x: upper, a: successes + 1, b: trials - successes });
      expect(atLeast).toBeCloseTo(tail, 11);
      expect(atMost).toBeCloseTo(tail, 11);
    }),
  );
});

test('a one-sided bound is the lower limit of the two-sided interval with twice the α', () => {
  fc.assert(
    fc.property(counts, fc.double({ min: 0.5, max: 0.999, noNaN: true }), (count, confidence) => {
      const twoSided = { ...count, confidence: 1 - 2 * (1 - confidence) || 1e-9 };
      const exact = clopperPearsonLowerBound({ ...count, confidence }).lower as number;
      expect(wilsonLowerBound({ ...count, confidence }).lower).toBeCloseTo(
        wilsonInterval(twoSided).lower as number,
        8,
      );
      expect(exact).toBeCloseTo(clopperPearsonInterval(twoSided).lower as number, 8);
    }),
  );
});

test('a one-sided Wilson bound below even odds lies above the estimate and stays in range', () => {
  const bound = defined(wilsonLowerBound({ successes: 3, trials: 10, confidence: 1e-300 }));
  expect(bound.lower).toBeGreaterThan(0.3);
  expect(bound.lower).toBeLessThanOrEqual(1);
});

test('Wilson takes an effective number of trials, the exact interval does not', () => {
  const effective = { successes: 120 / 3.7, trials: 500 / 3.7, confidence: 0.95 };
  expect(wilsonInterval(effective).estimate).toBeCloseTo(0.24, 14);
  expect(() => clopperPearsonInterval(effective)).toThrow('it must be a whole number');
});

test('impossible counts and confidence levels are refused with their value', () => {
  expect(() => wilsonInterval({ successes: 3, trials: 2, confidence: 0.95 })).toThrow(
    'successes is 3; it must be from 0 to trials (2).',
  );
  expect(() => wilsonInterval({ successes: -1, trials: 2, confidence: 0.95 })).toThrow(RangeError);
  expect(() => wilsonInterval({ successes: 1, trials: Number.NaN, confidence: 0.95 })).toThrow(RangeError);
  expect(() => wilsonInterval({ successes: 1, trials: 2, confidence: 95 })).toThrow('confidence is 95');
  expect(() => clopperPearsonLowerBound({ successes: 1, trials: 2, confidence: 1 })).toThrow(RangeError);
});

/**
 * Returns the chance that the 95 % interval contains the true rate, over every outcome of the binomial distribution.
 */
function coverage(rule: typeof wilsonInterval, trials: number, p: number): number {
  let covered = 0;
  for (let successes = 0; successes <= trials; successes += 1) {
    const { lower, upper } = defined(rule({ successes, trials, confidence: 0.95 }));
    if (lower <= p && p <= upper) covered += binomialChance(successes, trials, p);
  }
  return covered;
}

function binomialChance(successes: number, trials: number, p: number): number {
  const ways = logGamma(trials + 1) - logGamma(successes + 1) - logGamma(trials - successes + 1);
  return Math.exp(ways + successes * Math.log(p) + (trials - successes) * Math.log1p(-p));
}
