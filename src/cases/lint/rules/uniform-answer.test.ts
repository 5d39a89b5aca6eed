import { expect, test } from 'vitest';
import { lintRows } from '../../../../test/support/lint-rows.ts';
import { uniformAnswer } from './uniform-answer.ts';

const rows = (answers: readonly string[]) =>
  answers.map((expected_answer, index) => ({ question: `Is ${index} right?`, expected_answer }));
const times = (count: number, text: string) => Array.from({ length: count }, () => text);

test('one answer for most cases is found, with the score of a bot that always gives it', async () => {
  expect(await lintRows(uniformAnswer, rows(['No', ...times(9, 'yes'), 'Yes ']))).toEqual([
    '2: "yes" is the expected answer of 10 of 11 questions: a bot that always says so is right in 90 %',
  ]);
});

test('answers that read alike are one, however they are typed', async () => {
  const answers = [...times(5, 'I can’t say'), ...times(5, "I can't say"), 'No'];
  expect(await lintRows(uniformAnswer, rows(answers))).toHaveLength(1);
});

test('half of the cases, and a few cases, are no finding', async () => {
  expect(await lintRows(uniformAnswer, rows([...times(10, 'yes'), ...times(10, 'no')]))).toEqual([]);
  expect(await lintRows(uniformAnswer, rows(times(9, 'yes')))).toEqual([]);
});
