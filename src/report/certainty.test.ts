import { expect, test } from 'vitest';
import type { Estimate } from '../schema/estimate.ts';
import { cautionOf, clusterSentences, doubtedInterval, isTelling } from './certainty.ts';

const sound: Estimate = { value: 0.8, lower: 0.7, upper: 0.9, n: 60, confidence: 0.95, method: 't' };

test('a sound interval stands by itself', () => {
  expect(doubtedInterval(sound)).toBe('[70.0, 90.0]');
  expect(cautionOf(sound)).toBe('');
  expect(clusterSentences(sound)).toEqual([]);
  expect(isTelling(sound)).toBe(true);
});

test('fewer than five questions, or an interval of more than 25 points to a side, are too few to say', () => {
  expect(doubtedInterval({ ...sound, n: 4 })).toBe('too few to say');
  expect(doubtedInterval({ ...sound, n: 5 })).toBe('[70.0, 90.0]');
  const wide = { ...sound, n: 12, lower: 0.41, upper: 0.92 };
  expect(doubtedInterval(wide)).toBe('[41.0, 92.0] too few to say');
  expect([cautionOf(wide), isTelling(wide)]).toEqual(['too few to say', false]);
  expect(doubtedInterval({ ...sound, lower: 0.42, upper: 0.92 })).toBe('[42.0, 92.0]');
  // Of seconds or tokens nobody knows what is wide.
  expect(cautionOf({ ...sound, lower: 100, upper: 900 }, 'ms')).toBe('');
});

test('what has no interval, or was not measured, says so', () => {
  const equal = { ...sound, lower: null, upper: null, reason: 'all values are equal' };
  expect(doubtedInterval(equal)).toBe('no interval');
  expect(doubtedInterval({ ...equal, n: 0 })).toBe('');
  expect(cautionOf({ ...equal, n: 0 })).toBe('');
});

test('few clusters are said, and clusters that a large one outweighs', () => {
  const few = { ...sound, clusters: 4, effectiveClusters: 3.2 };
  expect(doubtedInterval(few)).toBe('[70.0, 90.0] few clusters');
  expect(clusterSentences(few)).toEqual([
    'The 60 questions fall into 4 clusters, which say as much as 3.2 of one size: the intervals allow for that.',
    'So few, or such unequal, clusters leave even that unsure: intervals may be too narrow.',
  ]);
  expect(cautionOf({ ...sound, clusters: 60, effectiveClusters: 25 })).toBe('few clusters');
  const many = { ...sound, clusters: 30, effectiveClusters: 30 };
  expect(cautionOf(many)).toBe('');
  expect(clusterSentences(many)).toEqual([
    'The 60 questions fall into 30 clusters: the intervals allow for that.',
  ]);
});
