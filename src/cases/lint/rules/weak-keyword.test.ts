import { expect, test } from 'vitest';
import { lintRows } from '../../../../test/support/lint-rows.ts';
import { keywordRules } from '../../../core/lib/search/find-terms.ts';
import { weakKeyword } from './weak-keyword.ts';

test.each(['the', 'A', '-', 'and '])('any answer contains "%s"', async (keyword) => {
  expect(
    await lintRows(weakKeyword, [{ question: 'Who?', expected_keywords: ['Paris', keyword] }]),
  ).toHaveLength(1);
});

test.each(['42', 'tea', '猫', 'no', 'not', '€5', 'yes'])('"%s" says something', async (keyword) => {
  expect(await lintRows(weakKeyword, [{ question: 'Who?', expected_keywords: [keyword] }])).toEqual([]);
});

test('a single letter or digit says something, except where keywords are substrings', async () => {
  const rows = [{ question: 'Which one?', expected_keywords: ['B', '5'] }];
  expect(await lintRows(weakKeyword, rows)).toEqual([]);
  for (const rules of [{ match: 'substring' }, { source: true }] as const) {
    const setting = { keywordRules: { ...keywordRules, ...rules } };
    expect(await lintRows(weakKeyword, rows, setting)).toEqual([
      '1: the keyword "B" is a single letter, which is part of nearly every answer',
      '1: the keyword "5" is a single digit, which is also found in 15 and 2054',
    ]);
  }
});
