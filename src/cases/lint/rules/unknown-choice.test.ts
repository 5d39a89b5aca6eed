import { expect, test } from 'vitest';
import { lintRows } from '../../../../test/support/lint-rows.ts';
import { unknownChoice } from './unknown-choice.ts';

const question = 'What is the capital of France?';
const choices = ['Lyon', 'Paris', 'Nice'];

test.each(['B', 'b', '(B)', 'B)', 'B.', 'B) Paris', 'Paris', 'paris', '2', 2])(
  '%s is one of the choices',
  async (answer) => {
    expect(await lintRows(unknownChoice, [{ question, choices, expected_answer: answer }])).toEqual([]);
  },
);

test.each(['D', 'Berlin', 'Paris or Lyon'])('%s is none of the choices', async (answer) => {
  expect(await lintRows(unknownChoice, [{ question, choices, expected_answer: answer }])).toEqual([
    `1: the expected answer "${answer}" is none of the choices A) Lyon, B) Paris, C) Nice`,
  ]);
});

test('two choices with one text are a finding, and a question without choices is none', async () => {
  expect(
    await lintRows(unknownChoice, [
      { question, choices: ['Paris', 'paris', 'Nice'], expected_answer: 'C' },
      { question: 'Who?', expected_answer: 'Ann' },
    ]),
  ).toEqual(['1: two choices have the text "paris"']);
});
