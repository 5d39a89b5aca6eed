import { expect, test } from 'vitest';
import { lintRows } from '../../../../test/support/lint-rows.ts';
import { placeholder } from './placeholder.ts';

test.each(['Where is {{ city }}?', 'Where is <insert city>?', 'TODO'])(
  '%s is unfinished',
  async (question) => {
    expect(await lintRows(placeholder, [{ question }])).toHaveLength(1);
  },
);

test.each(['nan', 'TBD', 'N/A', '???'])('"%s" is no expected answer', async (expected_answer) => {
  expect(await lintRows(placeholder, [{ question: 'Who?', expected_answer }])).toEqual([
    `1: the expected answer is "${expected_answer}", and answers are compared with that text as written`,
  ]);
});

test('braces and pointed brackets in code are no placeholders', async () => {
  const rows = [
    { question: 'What does std::vector<int> v{1} do?', expected_answer: 'None of them is empty.' },
    { question: 'What is <div> in HTML?' },
  ];
  expect(await lintRows(placeholder, rows)).toEqual([]);
});
