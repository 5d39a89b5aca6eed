import { expect, test } from 'vitest';
import { findIn, lintRows } from '../../../../test/support/lint-rows.ts';
import { smallSample } from './small-sample.ts';

const cases = (count: number, category?: string) =>
  Array.from({ length: count }, (_, index) => ({
    question: `${category} ${index}?`,
    ...(category && { category }),
  }));

test('a small set is noted with the half-width of its interval, and the number for ten points', async () => {
  const [finding] = await findIn(smallSample, cases(20));
  // Wilson, 10 of 20: [29.9 %, 70.1 %].
  expect(finding?.message).toBe('with 20 questions, a pass rate near 50 % is known to ±20 points');
  // Wilson, 46.5 of 93: [40.04 %, 59.96 %]; of 92: [39.99 %, 60.01 %].
  expect(finding?.remedy).toContain('93 questions are needed');
});

test('small categories of a set that is large enough are noted, the smallest first', async () => {
  expect(
    await lintRows(smallSample, [...cases(93, 'tax'), ...cases(20, 'law'), ...cases(10, 'rent')]),
  ).toEqual(['2 of 3 categories have few questions: rent 10 (±26), law 20 (±20) points near 50 %']);
});

test('a set of 93 cases without categories is large enough', async () => {
  expect(await lintRows(smallSample, cases(93))).toEqual([]);
});
