import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalQuantile } from '../normal.ts';
import { nonInferioritySampleSize } from '../planning/sample-size.ts';
import { createRandom } from '../random.ts';
import { equivalence, nonInferiority } from './equivalence.ts';

test('6 against 10 of 200 is inconclusive at a margin of 5 points', () => {
  const counts = { both: 180, aOnly: 6, bOnly: 10, neither: 4 };
  const gate = nonInferiority({ counts, margin: 0.05 });
  expect(gate).toMatchObject({
    status: 'defined',
    verdict: 'inconclusive',
    n: 200,
    estimate: -0.02,
    method: 'tango',
  });
  expect(gate.statistic).toBeCloseTo(1.397057, 6);
  expect(gate.pValue).toBeCloseTo(0.0811982, 7);
  expect(gate.lower).toBeCloseTo(-0.056004, 6);
  expect(nonInferiority({ counts, margin: 0.06 }).verdict).toBe('pass');
  expect(nonInferiority({ counts: { ...counts, bOnly: 60 }, margin: 0.05 }).verdict).toBe('fail');
});

const differences = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 3, maxLength: 40 });
const confidences = fc.constantFrom(0.9, 0.95, 0.99);

test('non-inferiority passes exactly when p is below 1 − confidence, and equivalence passes only where it does', () => {
  fc.assert(
    fc.property(differences, confidences, fc.constantFrom(0.05, 0.3), (values, confidence, margin) => {
      const options = { differences: values, confidence, margin };
      const gate = nonInferiority(options);
      const both = equivalence(options);
      fc.pre(gate.status === 'defined' && both.status === 'defined');
      fc.pre(Math.abs(gate.pValue - (1 - confidence)) > 1e-9);
      expect(gate.verdict === 'pass').toBe(gate.pValue < 1 - confidence);
      expect(both.verdict === 'pass').toBe(both.pValue < 1 - confidence);
      expect(both.pValue).toBeGreaterThanOrEqual(gate.pValue);
      if (both.verdict === 'pass') expect(gate.verdict).toBe('pass');
      if (gate.verdict === 'fail') expect(both.verdict).toBe('fail');
    }),
  );
});

test('equivalence fails for a proven difference in either direction, non-inferiority only for a loss', () => {
  const better = { differences: [0.5, 0.6, 0.55, 0.45, 0.52], margin: 0.1 };
  expect(nonInferiority(better).verdict).toBe('pass');
  expect(equivalence(better).verdict).toBe('fail');
  expect(equivalence({ differences: [0.01, -0.02, 0.02, -0.01], margin: 0.1 }).verdict).toBe('pass');
  expect(equivalence({ differences: [0.3, -0.3, 0.2], margin: 0.1 }).verdict).toBe('inconclusive');
});

test('pairs of scores, their differences, and clusters of one value have the same result', () => {
  const [a, b] = [
    [0.9, 0.8, 0.75, 1],
    [0.8, 0.85, 0.7, 0.9],
  ];
  const direct = nonInferiority({ a, b, margin: 0.1 });
  const clustered = nonInferiority({ a, b, clusters: [1, 2, 3, 4], margin: 0.1 });
  expect(direct).toMatchObject({ method: 't', n: 4 });
  expect(clustered).toMatchObject({ method: 'cluster-robust-t', clusters: 4, verdict: direct.verdict });
  expect(clustered.pValue).toBeCloseTo(direct.pValue as number, 12);
});

test('a candidate worse by the margin passes at most 5 %, an equal one with the planned power', () => {
  const { n } = nonInferioritySampleSize({ margin: 0.05, standardDeviation: 0.3, power: 0.8 });
  const random = createRandom('gate');
  const shareOfPasses = (truth: number): number => {
    let passes = 0;
    for (let run = 0; run < 3000; run += 1) {
      const drawn = Array.from({ length: n }, () => truth + 0.3 * normalQuantile(random.next() || 0.5));
      if (nonInferiority({ differences: drawn, margin: 0.05 }).verdict === 'pass') passes += 1;
    }
    return passes / 3000;
  };
  expect(shareOfPasses(-0.05)).toBeLessThan(0.063);
  expect(Math.abs(shareOfPasses(0) - 0.8)).toBeLessThan(0.03);
});

test('scores without spread have no verdict, counts always have one', () => {
  for (const rule of [nonInferiority, equivalence]) {
    expect(rule({ differences: [0, 0, 0], margin: 0.05 })).toMatchObject({
      status: 'undefined',
      verdict: null,
      estimate: 0,
      pValue: null,
      lower: null,
      reason: 'the differences do not vary',
    });
    const agreeing = { both: 10, aOnly: 0, bOnly: 0, neither: 0 };
    expect(rule({ counts: agreeing, margin: 0.05 })).toMatchObject({ verdict: 'inconclusive' });
    expect(rule({ counts: { ...agreeing, both: 500 }, margin: 0.05 })).toMatchObject({ verdict: 'pass' });
    expect(rule({ counts: { ...agreeing, both: 0 }, margin: 0.05 })).toMatchObject({ reason: 'no pairs' });
  }
});

test('invalid margins and confidences are refused', () => {
  const counts = { both: 1, aOnly: 1, bOnly: 1, neither: 1 };
  expect(() => nonInferiority({ differences: [1, 2], margin: -0.1 })).toThrow('margin is -0.1');
  expect(() => nonInferiority({ counts, margin: 5 })).toThrow(
    'margin is 5; it must be below 1, as pass rates are.',
  );
  expect(() => equivalence({ counts, margin: 0.1, confidence: 0.05 })).toThrow('confidence is 0.05');
});
