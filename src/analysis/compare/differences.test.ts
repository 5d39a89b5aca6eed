import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mcnemar } from '../../stats/paired/mcnemar.ts';
import { pairedT } from '../../stats/paired/differences.ts';
import { tangoInterval } from '../../stats/paired/tango-interval.ts';
import { createDifferenceTally, testDifferences } from './differences.ts';

interface Pairs {
  readonly older: readonly number[];
  readonly newer: readonly number[];
  readonly clusters?: readonly number[];
}

function tested({ older, newer, clusters }: Pairs) {
  const tally = createDifferenceTally(clusters === undefined ? undefined : Math.max(0, ...clusters) + 1);
  for (const [place, value] of older.entries()) tally.add(value, newer[place]!, clusters?.[place] ?? 0);
  return testDifferences(tally.summarize());
}

const score = fc.integer({ min: 0, max: 8 }).map((eighths) => eighths / 8 + 0.001);
const pairs = fc.array(fc.tuple(score, score, fc.integer({ min: 0, max: 6 })), {
  minLength: 5,
  maxLength: 60,
});

test('scores added one by one give the paired t test over all of them, clustered or not', () => {
  fc.assert(
    fc.property(pairs, fc.boolean(), (all, isClustered) => {
      const older = all.map(([before]) => before);
      const newer = all.map(([, after]) => after);
      const clusters = isClustered ? all.map(([, , cluster]) => cluster) : undefined;
      const { estimate, pValue } = tested({ older, newer, ...(clusters && { clusters }) });
      const whole = pairedT({ a: newer, b: older, ...(clusters && { clusters }) });
      expect(estimate.value).toBeCloseTo(whole.estimate!, 12);
      expect(estimate.method).toBe(whole.method);
      if (whole.status === 'undefined') {
        expect(estimate).toMatchObject({ lower: null, upper: null, reason: whole.reason });
        return;
      }
      expect(estimate.lower).toBeCloseTo(whole.lower, 10);
      expect(estimate.upper).toBeCloseTo(whole.upper, 10);
      expect(pValue).toBeCloseTo(whole.pValue!, 10);
    }),
  );
});

test('passes and fails have Tango’s interval and McNemar’s mid-p', () => {
  const truth = fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 1 }));
  fc.assert(
    fc.property(fc.array(truth, { minLength: 5, maxLength: 60 }), (all) => {
      const count = (before: number, after: number) =>
        all.filter(([b, a]) => b === before && a === after).length;
      const counts = { both: count(1, 1), aOnly: count(0, 1), bOnly: count(1, 0), neither: count(0, 0) };
      const { estimate, pValue } = tested({ older: all.map(([b]) => b), newer: all.map(([, a]) => a) });
      const { lower, upper } = tangoInterval(counts);
      expect(estimate).toMatchObject({ method: 'tango', lower, upper, n: all.length });
      expect(pValue).toBe(mcnemar(counts).pValue);
    }),
  );
});

test('equal differences have no interval, and the probability of so many equal signs as p-value', () => {
  const same = { older: [0.2, 0.4, 0.3, 0.1, 0.5, 0.6], newer: [0.3, 0.5, 0.4, 0.2, 0.6, 0.7] };
  const { estimate, pValue, standardDeviation } = tested(same);
  expect(estimate).toMatchObject({ lower: null, upper: null, reason: 'the differences do not vary' });
  expect(estimate.value).toBeCloseTo(0.1, 12);
  expect(pValue).toBe(2 / 2 ** 6);
  expect(standardDeviation).toBeNull();
  expect(tested({ older: [0.3, 0.3, 0.3, 0.3, 0.3], newer: [0.3, 0.3, 0.3, 0.3, 0.3] }).pValue).toBe(1);
});

test('fewer than five pairs, or a single cluster, have no p-value', () => {
  expect(tested({ older: [0, 0, 0, 0], newer: [1, 1, 1, 1] }).pValue).toBeNull();
  const cluster = {
    older: [0.1, 0.2, 0.4, 0.3, 0.6],
    newer: [0.3, 0.6, 0.5, 0.4, 0.7],
    clusters: [0, 0, 0, 0, 0],
  };
  expect(tested(cluster)).toMatchObject({
    pValue: null,
    estimate: { reason: 'a single cluster shows no spread' },
  });
  expect(tested({ older: [], newer: [] })).toMatchObject({ pValue: null, estimate: { value: null, n: 0 } });
});
