import { expect, test } from 'vitest';
import { judgeAnswer } from '../../../../test/support/judge-answer.ts';
import { correctness } from './correctness.ts';

test('compares the answer with every expected answer', async () => {
  const { verdict, questions } = await judgeAnswer(correctness, 'Montrose', {
    case: { expected: { answer: ['Montrose, CO', 'Montrose'] }, context: 'For tax letters.' },
    options: { threshold: 0.5 },
  });
  expect(verdict).toMatchObject({ status: 'scored', value: 0.5, passed: true });
  expect(questions[0]?.material.map(({ title }) => title)).toEqual([
    'question',
    'background',
    'expected answer 1',
    'expected answer 2',
    'answer',
  ]);
});

test('is not applicable without an expected answer, unless a refusal is expected', async () => {
  expect((await judgeAnswer(correctness, 'x')).verdict).toMatchObject({ status: 'not-applicable' });
  const refusing = await judgeAnswer(correctness, 'No.', { case: { expected: { refusal: true } } });
  expect(refusing.verdict).toMatchObject({ status: 'scored' });
});
