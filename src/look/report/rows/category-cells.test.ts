import { expect, test } from 'vitest';
import type { MetricSummary, TargetSummary } from '../../../core/schema/summary.ts';
import { categoryCells } from './category-cells.ts';

const estimate = { lower: null, upper: null, n: 4, confidence: 0.95, method: 't' };
const counts = { planned: 4, scored: 4, notApplicable: 0, failed: 0 };
const share = (value: number | null): MetricSummary => ({
  metric: 'f1',
  estimate: { ...estimate, value },
  ...counts,
  scored: value === null ? 0 : 4,
});
const time = (p50: number, p90: number, p99: number): MetricSummary => ({
  metric: 'latency',
  unit: 'ms',
  estimate: { ...estimate, value: p50 },
  ...counts,
  percentiles: { p50, p90, p99 },
});

function targetWith(...categories: MetricSummary[][]): TargetSummary {
  const named = categories.map((metrics, index) => ({ category: `c${index}`, metrics }));
  return { metrics: [share(0.5), time(1, 2, 3)], categories: named } as unknown as TargetSummary;
}

test('shares are shown as means, quantities as percentiles, and unmeasured values as missing', () => {
  const cells = categoryCells(
    targetWith([share(0.25), time(1, 2, 30)], [share(null), time(800, 1500, 9000)]),
  );
  expect(cells).toEqual({
    metrics: ['f1', 'latency'],
    rows: [
      { category: 'c0', cells: [{ text: '25.0 %' }, { text: '1 / 2 / 30 ms', unit: 'ms' }] },
      { category: 'c1', cells: [{ text: '–' }, { text: '800 ms / 1.50 s / 9.00 s', unit: 'ms' }] },
    ],
  });
});

test('a single category equals the whole and is not shown', () => {
  expect(categoryCells(targetWith([share(1)]))).toBeUndefined();
});
