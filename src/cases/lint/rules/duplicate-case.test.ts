import { expect, test } from 'vitest';
import { lintRows } from '../../../../test/support/lint-rows.ts';
import { duplicateCase } from './duplicate-case.ts';

test('the same question with the same expectations is an error, whatever the ids', async () => {
  const rows = ['a', 'b', 'c'].map((id) => ({
    id,
    question: 'When do you open?',
    expected_answer: 'At nine.',
  }));
  const message = 'the same question with the same expectations as line 1: it would count twice';
  expect(await lintRows(duplicateCase, rows)).toEqual([`2: ${message}`, `3: ${message}`]);
});

test('the same question with other expectations is not this finding', async () => {
  const rows = ['At nine.', 'At ten.'].map((expected_answer) => ({
    question: 'When do you open?',
    expected_answer,
  }));
  expect(await lintRows(duplicateCase, rows)).toEqual([]);
});
