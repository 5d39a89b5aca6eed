import { expect, test } from 'vitest';
import type { Correlations } from '../../schema/correlation.ts';
import type { Outcome } from '../../schema/result.ts';
import { buildRun } from '../../testing/build-records.ts';
import { createMetricCorrelation } from './correlate-metrics.ts';

function correlate(rows: readonly Readonly<Record<string, number>>[], seed = 0): Correlations | undefined {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const metrics = names.map((name) => ({ name, use: { use: name }, version: 1, fingerprint: name }));
  const correlation = createMetricCorrelation(buildRun({ metrics, seed }));
  for (const [ordinal, row] of rows.entries()) {
    const verdicts = Object.entries(row).map(([name, value]) => [
      name,
      { status: 'scored', value, unit: 'ms' },
    ]);
    correlation.add({
      case: {},
      trial: { ordinal },
      verdicts: Object.fromEntries(verdicts),
      scorecard: null,
    } as unknown as Outcome);
  }
  return correlation.summarize();
}

test('two metrics are held against each other on the answers that both measured', () => {
  const rows = Array.from({ length: 12 }, (_, index) => ({ a: index, b: index ** 2, c: -index }));
  const found = correlate([...rows, { a: 100 }, { b: -100 }]);
  expect(found).toEqual({
    trials: 14,
    sampled: 14,
    pairs: [
      { metrics: ['a', 'b'], spearman: 1, n: 12 },
      { metrics: ['a', 'c'], spearman: -1, n: 12 },
      { metrics: ['b', 'c'], spearman: -1, n: 12 },
    ],
  });
});

test('a metric that does not vary, or that shares fewer than ten answers with the other, is left out', () => {
  const rows = Array.from({ length: 9 }, (_, index) => ({ a: index, b: index }));
  expect(correlate(rows)).toBeUndefined();
  expect(correlate(Array.from({ length: 30 }, (_, index) => ({ a: index, b: 1 })))).toBeUndefined();
  expect(correlate(Array.from({ length: 30 }, (_, a) => ({ a })))).toBeUndefined();
});

test('of many answers a sample of a thousand is ranked: the same one for a seed, from all parts of the run', () => {
  const rows = Array.from({ length: 20_000 }, (_, index) => ({ a: index, b: (index * 7919) % 20_011 }));
  const found = correlate(rows, 1);
  expect(found).toMatchObject({ trials: 20_000, sampled: 1000, pairs: [{ n: 1000 }] });
  expect(correlate(rows, 1)).toEqual(found);
  expect(correlate(rows, 2)).not.toEqual(found);
  // Late rows alone turn round: a sample of the first thousand would not see it.
  const turning = rows.map(({ a }) => ({ a, b: a < 10_000 ? a : 20_000 - a }));
  expect(Math.abs(correlate(turning)?.pairs[0]?.spearman ?? 1)).toBeLessThan(0.15);
});
