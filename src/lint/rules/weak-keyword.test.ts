import { expect, test } from 'vitest';
import { lintRows } from '../../../test/support/lint-rows.ts';
import { weakKeyword } from './weak-keyword.ts';

test.each(['the', 'A', 'e', '5', '-', 'and '])('any answer contains "%s"', async (keyword) => {
  expect(
    await lintRows(weakKeyword, [{ question: 'Who?', expected_keywords: ['Paris', keyword] }]),
  ).toHaveLength(1);
});

test.each(['42', 'tea', '猫', 'no', 'not', '€5', 'yes'])('"%s" says something', async (keyword) => {
  expect(await lintRows(weakKeyword, [{ question: 'Who?', expected_keywords: [keyword] }])).toEqual([]);
});

test('a single letter or digit is enough where keywords are whole words', async () => {
  const rows = [{ question: 'Which one?', expected_keywords: ['B', '5'] }];
  expect(await lintRows(weakKeyword, rows, { matchesWords: true })).toEqual([]);
});
