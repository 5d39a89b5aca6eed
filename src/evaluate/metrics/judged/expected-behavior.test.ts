import { expect, test } from 'vitest';
import { judgeAnswer } from '../../../../test/support/judge-answer.ts';
import { expectedBehavior } from './expected-behavior.ts';

test('shows the judge the conversation and every statement of what should happen', async () => {
  const { verdict, questions } = await judgeAnswer(expectedBehavior, 'We refund you.', {
    case: { expected: { behavior: ['Offers a refund.', 'Is polite.'] } },
    options: { threshold: 0.5 },
  });
  expect(verdict).toMatchObject({ status: 'scored', value: 0.5, passed: true });
  expect(questions[0]?.material.map(({ title, text }) => [title, text.includes('refund')])).toEqual([
    ['expected behavior 1', true],
    ['expected behavior 2', false],
    ['conversation', true],
  ]);
});

test('is not applicable to a case that does not say what should happen', async () => {
  expect((await judgeAnswer(expectedBehavior, 'x')).verdict).toMatchObject({
    status: 'not-applicable',
    reason: 'the question does not describe what should happen',
  });
});
