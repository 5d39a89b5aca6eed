import { expect, test } from 'vitest';
import { findIn, lintRows } from '../../../../test/support/lint-rows.ts';
import { invalidRow } from './invalid-row.ts';

test('a row without a question is an error at its place', async () => {
  const rows = [{ question: 'When do you open?' }, { quest: 'And close?' }];
  const [finding] = await findIn(invalidRow, rows);
  expect(finding).toMatchObject({ rule: 'invalid-row', severity: 'error', line: 2, column: 1 });
  expect(finding?.message).toBe('there is no question; the row has quest');
});

test('a text that ends early is an error, and what was read before is checked', async () => {
  const found = await lintRows(invalidRow, [
    { question: 'When do you open?', expected_keywords: 'nine, ten' },
  ]);
  expect(found).toEqual(['1: expected_keywords: expected a list of texts, found the text "nine, ten"']);
});
