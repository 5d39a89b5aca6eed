import { expect, test } from 'vitest';
import type { Estimate } from '../../core/schema/estimate.ts';
import { clusterSentences } from './certainty.ts';
import { cautionOf, formatCautiousInterval, isInformative } from './caution.ts';

const sound: Estimate = { value: 0.8, lower: 0.7, upper: 0.9, n: 60, confidence: 0.95, method: 't' };

test('an informative interval has no caution', () => {
  expect(formatCautiousInterval(sound)).toBe('[70.0, 90.0]');
  expect(cautionOf(sound)).toBe('');
  expect(clusterSentences(sound)).toEqual([]);
  expect(isInformative(sound)).toBe(true);
});

test('fewer than five questions, or an interval wider than ±25 points, are too few to say', () => {
  expect(formatCautiousInterval({ ...sound, n: 4 })).toBe('too few to say');
  expect(formatCautiousInterval({ ...sound, n: 5 })).toBe('[70.0, 90.0]');
  const wide = { ...sound, n: 12, lower: 0.41, upper: 0.92 };
  expect(formatCautiousInterval(wide)).toBe('[41.0, 92.0] too few to say');
  expect([cautionOf(wide), isInformative(wide)]).toEqual(['too few to say', false]);
  expect(formatCautiousInterval({ ...sound, lower: 0.42, upper: 0.92 })).toBe('[42.0, 92.0]');
  // There is no general width limit for seconds or tokens.
  expect(cautionOf({ ...sound, lower: 100, upper: 900 }, 'ms')).toBe('');
});

test('a missing interval or measurement is named', () => {
  const equal = { ...sound, lower: null, upper: null, reason: 'all values are equal' };
  expect(formatCautiousInterval(equal)).toBe('no interval');
  expect(formatCautiousInterval({ ...equal, n: 0 })).toBe('');
  expect(cautionOf({ ...equal, n: 0 })).toBe('');
});

test('few clusters are reported, and so are clusters dominated by a large one', () => {
  const few = { ...sound, clusters: 4, effectiveClusters: 3.2 };
  expect(formatCautiousInterval(few)).toBe('[70.0, 90.0] few clusters');
  expect(clusterSentences(few)).toEqual([
    'The 60 questions fall into 4 clusters, which are as informative as 3.2 of equal size: the intervals allow for that.',
    'With so few, or such unequal, clusters the intervals may still be too narrow.',
  ]);
  expect(cautionOf({ ...sound, clusters: 60, effectiveClusters: 25 })).toBe('few clusters');
  const many = { ...sound, clusters: 30, effectiveClusters: 30 };
  expect(cautionOf(many)).toBe('');
  expect(clusterSentences(many)).toEqual([
    'The 60 questions fall into 30 clusters: the intervals allow for that.',
  ]);
});
