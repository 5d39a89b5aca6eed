import { expect, test } from 'vitest';
import { lintRows } from '../../../../test/support/lint-rows.ts';
import { keywordRules } from '../../../core/lib/search/find-terms.ts';
import { containedKeyword } from './contained-keyword.ts';

test('a keyword that is part of another, or listed twice, is noted', async () => {
  const rows = [{ question: 'Which?', expected_keywords: ['rental income', 'rental', 'lease', 'Lease'] }];
  expect(await lintRows(containedKeyword, rows)).toEqual([
    '1: the keyword "rental" is part of "rental income", so an answer with the longer one is counted twice',
    '1: the keyword "lease" is listed twice, and counts twice',
  ]);
});

test('a keyword that is listed in two forms of Unicode or typography is listed twice', async () => {
  const rows = [{ question: 'Which?', expected_keywords: ['café', 'cafe\u0301', 'co-op', 'co\u2011op'] }];
  expect(await lintRows(containedKeyword, rows)).toHaveLength(2);
});

test('a keyword is a part of another one only where the metric would find it there', async () => {
  const rows = [{ question: 'Which?', expected_keywords: ['illegal', 'legal', '$149', '49'] }];
  expect(await lintRows(containedKeyword, rows)).toEqual([]);
  const setting = { keywordRules: { ...keywordRules, source: true } };
  expect(await lintRows(containedKeyword, rows, setting)).toHaveLength(2);
});
