import { expect, test } from 'vitest';
import { lintRows } from '../../../../test/support/lint-rows.ts';
import { emptyExpectation } from './empty-expectation.ts';

test('an empty text is found in its column', async () => {
  const rows = [
    { question: 'When?', expected_answer: ' ' },
    { question: 'Who?', expected_answer: ['Ann', ''] },
  ];
  expect(await lintRows(emptyExpectation, rows)).toEqual([
    '1: the expected answer is an empty text, which nothing can be compared with',
    '2: the expected answer contains an empty text, which nothing can be compared with',
  ]);
});

test('cases without expectations are named, or once if no case has any', async () => {
  const bare = { question: 'Who?' };
  const full = { question: 'When?', expected_answer: 'At nine.' };
  const unchecked = 'expects nothing that can be checked, so it gets no score';
  expect(await lintRows(emptyExpectation, [full, bare])).toEqual([`2: ${unchecked}`]);
  expect(await lintRows(emptyExpectation, [bare, { question: 'Why?' }])).toEqual([
    '1: none of the 2 questions expects anything: only a judge and metrics without expectations can score the answers',
  ]);
});

test('an empty list is meant, and metrics that read no expectation need none', async () => {
  expect(await lintRows(emptyExpectation, [{ question: 'Hi there', expected_tools: [] }])).toEqual([]);
  expect(await lintRows(emptyExpectation, [{ question: 'Who?' }], { config: 'c.yaml', reads: [] })).toEqual(
    [],
  );
});
