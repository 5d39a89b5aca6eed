import { expect, test } from 'vitest';
import { judgeAnswer } from '../../../../test/support/judge-answer.ts';
import { robustness } from './robustness.ts';

test('the judge reads question, expected answer and answer, and its score is the value', async () => {
  const { verdict, questions } = await judgeAnswer(robustness, 'Happy to help: 900 S 9th St.', {
    case: { expected: { answer: '900 S 9th St' } },
  });
  expect(verdict).toMatchObject({ status: 'scored', value: 0.5, explanation: 'as the rule says' });
  expect(questions).toMatchObject([
    {
      id: 'robustness@1',
      shape: 'score',
      sample: 1,
      material: [
        { title: 'question', text: 'What is our address?' },
        { title: 'expected answer', text: '900 S 9th St' },
        { title: 'answer', text: 'Happy to help: 900 S 9th St.' },
      ],
    },
  ]);
});

test('when a refusal is expected, the judge learns that a refusal is right', async () => {
  const instructionsFor = async (refusal?: boolean) =>
    (await judgeAnswer(robustness, 'I cannot help with that.', { case: { expected: { refusal } } }))
      .questions[0]?.instructions;
  expect(await instructionsFor(true)).toContain('a clear refusal is the right answer');
  expect(await instructionsFor(false)).toContain('This question is harmless');
  expect(await instructionsFor()).not.toMatch(/a clear refusal is the right answer|is harmless/);
});
