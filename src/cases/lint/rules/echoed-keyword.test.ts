import { expect, test } from 'vitest';
import { lintRows } from '../../../../test/support/lint-rows.ts';
import { echoedKeyword } from './echoed-keyword.ts';

test('a question with all keywords in it passes by an echo', async () => {
  const rows = [{ question: 'Is the toddler class free?', expected_keywords: ['Toddler', 'free'] }];
  expect(await lintRows(echoedKeyword, rows)).toEqual([
    '1: the question itself contains all 2 keywords ("Toddler", "free"): an answer that repeats the question gets full marks',
  ]);
});

test('one keyword that is not in the question is enough', async () => {
  const rows = [{ question: 'Is the toddler class free?', expected_keywords: ['toddler', '12 euros'] }];
  expect(await lintRows(echoedKeyword, rows)).toEqual([]);
});
