import { expect, test } from 'vitest';
import { aspectOf, betterIn, declaredParts, formatIn, isNeverNegative, metricsMeasuring } from './metric.ts';

test('a metric of a run measures the aspect that its record names, whatever its name', () => {
  expect(aspectOf({ use: { use: 'mine' }, aspect: 'expected-terms' })).toBe('expected-terms');
  expect(aspectOf({ use: { use: 'keywords' }, aspect: null })).toBeNull();
  expect(aspectOf({ use: { use: 'keywords' }, aspect: 'no-error' })).toBe('no-error');
  expect(aspectOf(undefined)).toBeNull();
});

test('a metric of a run of 0.1.0, which recorded no aspects, measures what it declares today', () => {
  expect(aspectOf({ use: { use: 'keywords' } })).toBe('expected-terms');
  expect(aspectOf({ use: { use: 'constructor' } })).toBeNull();
  expect(declaredParts({ use: { use: 'response-quality' } }).map(({ name }) => name)).toEqual([
    'keywords',
    'entities',
    'expected answer',
  ]);
  expect(declaredParts({ use: { use: 'response-quality' }, aspect: null })).toEqual([]);
});

test('the metrics that measure an aspect are found in the order of the run', () => {
  const metrics = [
    { name: 'b', use: { use: 'mine' }, aspect: 'answer-time' },
    { name: 'c', use: { use: 'latency' }, aspect: null },
    { name: 'a', use: { use: 'latency' } },
  ] as const;
  expect(metricsMeasuring({ metrics }, 'answer-time').map(({ name }) => name)).toEqual(['b', 'a']);
});

test('less time, money and tokens are better; of lengths and unknown quantities neither direction is', () => {
  expect([undefined, 'ms', 'USD', 'tokens', 'words', 'degrees', 'constructor'].map(betterIn)).toEqual([
    'higher',
    'lower',
    'lower',
    'lower',
    null,
    null,
    null,
  ]);
  expect(['ms', 'USD', 'tokens', 'degrees'].map(formatIn)).toEqual([
    'duration',
    'money',
    undefined,
    undefined,
  ]);
  expect(['s', 'calls', 'degrees', 'toString'].map(isNeverNegative)).toEqual([true, true, false, false]);
});
