import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatConfidence,
  formatDuration,
  formatInterval,
  formatMoney,
  formatPercent,
  formatPlural,
  formatPoints,
  formatQuantity,
  formatQuantityInterval,
  formatTime,
  formatWeight,
  latencyFacts,
} from './format.ts';

const estimate = { value: 0.5, lower: 0.25, upper: 0.755, n: 9, confidence: 0.95, method: 'wilson' };

test('shares are in per cent with one decimal', () => {
  expect([0, 0.5, 0.8404, 1].map(formatPercent)).toEqual(['0.0 %', '50.0 %', '84.0 %', '100.0 %']);
  expect([null, undefined, Number.NaN, Infinity].map(formatPercent)).toEqual(['–', '–', '–', '–']);
  expect(formatPoints(-0)).toBe('0.0');
});

test('rounding never turns almost all into all, or almost nothing into nothing', () => {
  expect([0.9999, 0.0001, 1 - 1e-12, 1e-12].map(formatPoints)).toEqual(['99.9', '0.1', '100.0', '0.0']);
});

test('any share has one decimal and lies between 0 and 100', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (share) => {
      expect(formatPoints(share)).toMatch(/^(?:\d{1,2}\.\d|100\.0)$/);
    }),
  );
});

test('intervals, weights, confidences and plurals have their forms', () => {
  expect(formatInterval(estimate)).toBe('[25.0, 75.5]');
  expect(formatInterval({ ...estimate, lower: null })).toBe('');
  expect([0.4, 0.125, 1].map(formatWeight)).toEqual(['40 %', '12.5 %', '100 %']);
  expect(formatConfidence(estimate)).toBe('95 %');
  expect([formatPlural(1, 'error'), formatPlural(12_345, 'error')]).toEqual(['1 error', '12,345 errors']);
});

test('durations have natural units', () => {
  const durations = [0, 0.44, 9.96, 850, 999.6, 1240, 59_960, 75_000, 3_600_000, 7_500_000].map(
    formatDuration,
  );
  expect(durations).toEqual([
    '0 ms',
    '0.4 ms',
    '10 ms',
    '850 ms',
    '1.00 s',
    '1.24 s',
    '1 min',
    '1 min 15 s',
    '1 h',
    '2 h 5 min',
  ]);
  expect([Number.NaN, -1, Infinity].map(formatDuration)).toEqual(['–', '–', '–']);
});

test('small amounts of money keep two significant digits', () => {
  const amounts = [0, 0.001_234, 0.05, 0.994, 0.999, 1234.5, 1e-9].map(formatMoney);
  expect(amounts).toEqual(['$0.00', '$0.0012', '$0.05', '$0.99', '$1.00', '$1,234.50', '<$0.000001']);
  expect([Number.NaN, -1].map(formatMoney)).toEqual(['–', '–']);
});

test('a measured quantity is shown in its unit, a share in per cent', () => {
  expect(formatQuantity(0.5, undefined)).toBe('50.0 %');
  expect(formatQuantity(1240, 'ms')).toBe('1.24 s');
  expect(formatQuantity(0.05, 'USD')).toBe('$0.05');
  expect(formatQuantity(1312.4, 'characters')).toBe('1,312 characters');
  expect(formatQuantity(2.345_6, 'steps')).toBe('2.35 steps');
  expect(formatQuantity(null, 'ms')).toBe('–');
});

test('amounts and quantities are formatted as by Intl', () => {
  const dollars = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const plain = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });
  const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
  // For these doubles Intl and toFixed see the same decimals: they differ in whether 1.005 is a tie.
  const exact = fc
    .tuple(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), fc.integer({ min: 0, max: 10 }))
    .map(([number, power]) => number / 2 ** power);
  fc.assert(
    fc.property(exact, (value) => {
      if (value >= 1) expect(formatMoney(value)).toBe(`$${dollars.format(value)}`);
      const format = Math.abs(value) >= 100 ? whole : plain;
      expect(formatQuantity(value, 'steps')).toBe(`${format.format(value)} steps`);
    }),
  );
  const small = [0, 0.000_123_4, 1.234e-7, -5e-9, 1e-99, 99.96, 0.1 + 0.2];
  expect(small.map((value) => formatQuantity(value, 'g'))).toEqual(
    small.map((value) => `${plain.format(value)} g`),
  );
});

test('an interval of a quantity names its unit once if both limits share it', () => {
  const between = (lower: number, upper: number, unit: string): string =>
    formatQuantityInterval({ ...estimate, lower, upper }, unit);
  expect(between(1100, 1380, 'ms')).toBe('[1.10, 1.38 s]');
  expect(between(980, 1380, 'ms')).toBe('[980 ms, 1.38 s]');
  expect(between(75_000, 80_000, 'ms')).toBe('[1 min 15 s, 1 min 20 s]');
  expect(between(0.1, 0.2, 'USD')).toBe('[$0.10, $0.20]');
});

test('moments are to the minute, in UTC', () => {
  expect(formatTime('2026-02-11T09:30:59.000Z')).toBe('2026-02-11 09:30 UTC');
  expect(formatTime('soon')).toBe('soon');
});

test('a number with hundreds of digits is shown by its magnitude', () => {
  expect(formatDuration(1e308)).toBe('2.8e+301 h');
  expect(formatMoney(1e200)).toBe('$1.0e+200');
  expect(formatQuantity(-1e200, 'tokens')).toBe('-1.0e+200 tokens');
  expect(formatPlural(1e21, 'question')).toBe('1.0e+21 questions');
  expect(formatDuration(86_400_000 * 365)).toBe('8760 h');
});

test('an answer has its time, the pause it was polled with, or the batch in place of both', () => {
  expect(latencyFacts({ latency: { totalMs: 1240 } })).toEqual(['1.24 s']);
  expect(latencyFacts({ latency: { totalMs: 1240, polled: 500 } })).toEqual([
    '1.24 s (polled, up to 500 ms too long)',
  ]);
  expect(latencyFacts({ batch: { id: 'touchstone-1' } })).toEqual(['answered in a batch']);
  expect(latencyFacts({})).toEqual([]);
});
