import { expect, test } from 'vitest';
import { lintRows } from '../../../../test/support/lint-rows.ts';
import { unreadExpectation } from './unread-expectation.ts';

const rows = [
  { question: 'When?', expected_answer: 'At nine.' },
  { question: 'Who?', relevant_ids: ['d1'] },
  { question: 'Where?', relevant_ids: ['d2'] },
];

test('an expectation that no metric of the config reads is an error, with the number of cases', async () => {
  expect(await lintRows(unreadExpectation, rows, { config: 'strict.yaml', reads: ['answer'] })).toEqual([
    '2: lists of expected documents of 2 questions, here first, are read by no metric of strict.yaml',
  ]);
});

test('without a config the default metrics read everything', async () => {
  expect(await lintRows(unreadExpectation, rows)).toEqual([]);
});
