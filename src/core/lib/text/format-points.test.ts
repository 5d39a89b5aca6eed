import { expect, test } from 'vitest';
import { formatPoints } from './format-points.ts';

test('a mean has the same points in whichever order its values were added up', () => {
  const shares = [0.7765, 0.776_499_999_999_999_9, 0.776_500_000_000_000_1];
  expect(shares.map((share) => (share * 100).toFixed(1))).toContain('77.6');
  expect(shares.map(formatPoints)).toEqual(['77.7', '77.7', '77.7']);
  expect([0.8435, 0.843_499_999_999_999_9].map(formatPoints)).toEqual(['84.4', '84.4']);
});

test.each([
  [0, '0.0'],
  [1, '100.0'],
  [0.9999, '99.9'],
  [0.0001, '0.1'],
  [1 - 1e-12, '100.0'],
  [0.776_49, '77.6'],
  [-0.7765, '-77.7'],
  [-0.0001, '0.0'],
])('%d has %s points', (share, points) => {
  expect(formatPoints(share)).toBe(points);
});
