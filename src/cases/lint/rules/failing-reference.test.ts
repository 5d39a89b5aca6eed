import { expect, test } from 'vitest';
import { lintRows } from '../../../../test/support/lint-rows.ts';
import { failingReference } from './failing-reference.ts';

const row = { question: 'When?', expected_answer: 'We open at nine.', expected_keywords: ['Nine', 'Monday'] };

test('an expected answer that lacks a keyword would lose marks itself', async () => {
  expect(await lintRows(failingReference, [row])).toEqual([
    '1: the expected answer lacks the keyword "Monday": the right answer itself would lose marks',
  ]);
});

test('one of several expected answers may contain it, and one of several alternatives', async () => {
  const answers = { ...row, expected_answer: ['At nine.', 'On Monday.'] };
  const choice = { ...row, expected_keywords: ['Monday | we open'] };
  expect(await lintRows(failingReference, [answers, choice])).toEqual([]);
});

test('agrees with the metric on numbers, forms and parts of words', async () => {
  const good = { ...row, expected_answer: 'It is $1,299, for two dogs.', expected_keywords: ['1299', 'dog'] };
  const bad = { ...row, expected_answer: 'It is illegal, at $149.', expected_keywords: ['legal', '49'] };
  expect(await lintRows(failingReference, [good, bad])).toEqual([
    '2: the expected answer lacks the keyword "legal" and 1 more: the right answer itself would lose marks',
  ]);
});
