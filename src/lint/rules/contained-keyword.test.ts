import { expect, test } from 'vitest';
import { lintRows } from '../../../test/support/lint-rows.ts';
import { containedKeyword } from './contained-keyword.ts';

test('a keyword that is part of another, or listed twice, is noted', async () => {
  const rows = [{ question: 'Which?', expected_keywords: ['rental income', 'rent', 'lease', 'Lease'] }];
  expect(await lintRows(containedKeyword, rows)).toEqual([
    '1: the keyword "rent" is part of "rental income", so an answer with the longer one is counted twice',
    '1: the keyword "lease" is listed twice, and counts twice',
  ]);
});

test('keywords that are searched for as whole words do not contain each other', async () => {
  const rows = [{ question: 'Which?', expected_keywords: ['rental', 'rent'] }];
  expect(await lintRows(containedKeyword, rows, { matchesWords: true })).toEqual([]);
});
