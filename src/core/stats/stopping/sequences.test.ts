import fc from 'fast-check';
import { expect, test } from 'vitest';
import { meanInterval } from '../mean-interval.ts';
import { clopperPearsonInterval } from '../proportion-interval.ts';
import { createRandom } from '../random.ts';
import { betaBinomialSequence } from './beta-binomial-sequence.ts';
import { bettingSequence } from './betting-sequence.ts';

test('17 of 20 under all rates alike is within 0.529182 and 0.986168', () => {
  const sequence = betaBinomialSequence({ successes: 17, trials: 20 });
  expect(sequence).toMatchObject({
    status: 'defined',
    n: 20,
    estimate: 0.85,
    method: 'beta-binomial-sequence',
    confidence: 0.95,
    threshold: null,
    decision: null,
    eValue: null,
    pValue: null,
  });
  expect(sequence.lower).toBeCloseTo(0.529182, 6);
  expect(sequence.upper).toBeCloseTo(0.986168, 6);
});

test('when all pass the lower end is (α / (n + 1))^(1/n)', () => {
  const { lower, upper } = betaBinomialSequence({ successes: 30, trials: 30 });
  expect(lower).toBeCloseTo((0.05 / 31) ** (1 / 30), 13);
  expect(upper).toBe(1);
});

test.each([
  [0.8, 20],
  [0.9, 43],
  [0.95, 88],
])('a rate above %d is certain after %d passes in a row, and not before', (threshold, trials) => {
  const decisionAfter = (n: number) => betaBinomialSequence({ successes: n, trials: n, threshold }).decision;
  expect(decisionAfter(trials - 1)).toBe('continue');
  expect(decisionAfter(trials)).toBe('pass');
});

test('a lead without doubt fails as surely, and evidence beyond doubles is still a number', () => {
  expect(betaBinomialSequence({ successes: 0, trials: 10, threshold: 0.8 })).toMatchObject({
    decision: 'fail',
    lower: 0,
  });
  const sure = betaBinomialSequence({ successes: 9000, trials: 9000, threshold: 0.5 });
  expect(sure).toMatchObject({ decision: 'pass', eValue: Number.MAX_VALUE, pValue: 0 });
});

const counts = fc
  .integer({ min: 1, max: 500 })
  .chain((trials) => fc.record({ trials: fc.constant(trials), successes: fc.nat(trials) }));

test('an interval for every look is wider than one for a single look, and mirrors with the failures', () => {
  fc.assert(
    fc.property(counts, ({ successes, trials }) => {
      const sequence = betaBinomialSequence({ successes, trials });
      const once = clopperPearsonInterval({ successes, trials });
      const mirrored = betaBinomialSequence({ successes: trials - successes, trials });
      expect(sequence.lower).toBeLessThanOrEqual((once.lower as number) + 1e-12);
      expect(sequence.upper).toBeGreaterThanOrEqual((once.upper as number) - 1e-12);
      expect(mirrored.lower).toBeCloseTo(1 - (sequence.upper as number), 12);
    }),
  );
});

test('looked at after each of 300 cases, a rate just at the threshold passes at most 5 %, fails at most 5 %', () => {
  // Exact: the chance of every number of successes, less what has stopped.
  for (const rate of [0.5, 0.9]) {
    let alive = [1];
    const stopped = { pass: 0, fail: 0 };
    let missed = 0;
    let unmissed = [1];
    for (let trials = 1; trials <= 300; trials += 1) {
      const step = (chances: readonly number[]) =>
        Array.from({ length: trials + 1 }, (_, successes) => {
          return (chances[successes] ?? 0) * (1 - rate) + (chances[successes - 1] ?? 0) * rate;
        });
      alive = step(alive);
      unmissed = step(unmissed);
      for (let successes = 0; successes <= trials; successes += 1) {
        if ((unmissed[successes] as number) < 1e-9) continue;
        const { decision, lower, upper } = betaBinomialSequence({ successes, trials, threshold: rate });
        if (decision === 'pass' || decision === 'fail') {
          stopped[decision] += alive[successes] as number;
          alive[successes] = 0;
        }
        if (rate < (lower as number) || rate > (upper as number)) {
          missed += unmissed[successes] as number;
          unmissed[successes] = 0;
        }
      }
    }
    expect(Math.max(stopped.pass, stopped.fail, missed)).toBeLessThan(0.05);
    expect(Math.min(stopped.pass, stopped.fail, missed)).toBeGreaterThan(0.003);
  }
});

test('for scores near their mean, betting has narrower limits than pass and fail', () => {
  const values = Array.from({ length: 60 }, (_, i) => 0.8 + 0.05 * Math.sin(i));
  const bets = bettingSequence({ values });
  expect(bets).toMatchObject({ status: 'defined', method: 'betting-sequence', n: 60, threshold: null });
  const rate = betaBinomialSequence({ successes: 48, trials: 60 });
  expect(bets.lower).toBeGreaterThan(rate.lower as number);
  expect(bets.upper).toBeLessThan(rate.upper as number);
});

const scores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 60 });

test('the limits of betting stay in 0 to 1 around the mean, and mirror with the scores', () => {
  fc.assert(
    fc.property(scores, (values) => {
      const { lower, estimate, upper } = bettingSequence({ values });
      const mirrored = bettingSequence({ values: values.map((value) => 1 - value) });
      expect(lower).toBeGreaterThanOrEqual(0);
      expect(lower).toBeLessThanOrEqual(estimate as number);
      expect(upper).toBeGreaterThanOrEqual(estimate as number);
      expect(upper).toBeLessThanOrEqual(1);
      expect(mirrored.lower).toBeCloseTo(1 - (upper as number), 10);
    }),
  );
});

test('looked at after every case without a difference, betting decides and misses at most 5 %', () => {
  const random = createRandom('looks');
  const wrong = { pass: 0, fail: 0, missed: 0 };
  const runs = 300;
  for (let run = 0; run < runs; run += 1) {
    const values: number[] = [];
    let isDecided = false;
    let isMissed = false;
    for (let look = 0; look < 50; look += 1) {
      // A against B where both are alike: (A − B + 1) / 2, mostly ties.
      values.push(random.next() < 0.6 ? 0.5 : Math.round(random.next()));
      const { decision, lower, upper } = bettingSequence({ values, threshold: 0.5 });
      if (!isDecided && (decision === 'pass' || decision === 'fail')) {
        wrong[decision] += 1;
        isDecided = true;
      }
      if (!isMissed && ((lower as number) > 0.5 || (upper as number) < 0.5)) {
        wrong.missed += 1;
        isMissed = true;
      }
    }
  }
  for (const count of Object.values(wrong)) expect(count / runs).toBeLessThan(0.07);
});

test('a clear difference is decided long before a fixed number of cases', () => {
  const random = createRandom('clear');
  let looks = 0;
  for (let run = 0; run < 100; run += 1) {
    const values: number[] = [];
    do values.push(random.next() < 0.5 ? 0.5 : random.next() < 0.9 ? 1 : 0);
    while (bettingSequence({ values, threshold: 0.5 }).decision === 'continue' && values.length < 200);
    looks += values.length;
    expect(bettingSequence({ values, threshold: 0.5 }).decision).toBe('pass');
  }
  expect(looks / 100).toBeLessThan(200 / 3);
});

test('the interval of many scores is at most about three t intervals wide', () => {
  const random = createRandom('many');
  const values = Array.from({ length: 2000 }, () => random.next());
  const width = ({ lower, upper }: { lower: number | null; upper: number | null }) =>
    (upper as number) - (lower as number);
  const ratio = width(bettingSequence({ values })) / width(meanInterval({ values }));
  expect(ratio).toBeGreaterThan(1);
  expect(ratio).toBeLessThan(3);
});

test('no cases decide nothing, and invalid arguments are refused', () => {
  expect(betaBinomialSequence({ successes: 0, trials: 0, threshold: 0.5 })).toMatchObject({
    status: 'undefined',
    estimate: null,
    decision: 'continue',
    reason: 'no trials',
  });
  expect(bettingSequence({ values: [], threshold: 0.5 })).toMatchObject({
    status: 'undefined',
    estimate: null,
    decision: 'continue',
    eValue: 1,
    reason: 'no values',
  });
  expect(() => bettingSequence({ values: [0.5, 1.5] })).toThrow('value 2 is 1.5; it must be from 0 to 1.');
  expect(() => bettingSequence({ values: [], threshold: 1 })).toThrow('threshold is 1');
  expect(() => betaBinomialSequence({ successes: 2, trials: 1 })).toThrow('successes is 2');
  expect(() => betaBinomialSequence({ successes: 1, trials: 1, threshold: 0 })).toThrow('threshold is 0');
  expect(() => betaBinomialSequence({ successes: 1, trials: 1, prior: { a: 0, b: 1 } })).toThrow(
    'prior.a is 0',
  );
});
