import { expect, test } from 'vitest';
import { judgeAnswer } from '../../../../test/support/judge-answer.ts';
import { contextRelevance } from './context-relevance.ts';

test('the judge reads question and documents, and neither the answer nor the expected one', async () => {
  const documents = [{ id: 'a', text: 'The address is 900 S 9th St.' }, { id: 'b' }];
  const { verdict, questions } = await judgeAnswer(contextRelevance, 'secret answer', {
    case: { expected: { answer: 'gold' } },
    trial: { documents },
    options: { threshold: 0.5 },
  });
  expect(verdict).toMatchObject({ status: 'scored', value: 0.5, passed: true });
  expect(questions[0]).toMatchObject({ id: 'context-relevance@1', shape: 'score' });
  expect(questions[0]?.material).toEqual([
    { title: 'question', text: 'What is our address?' },
    { title: 'document 1', text: 'a\n\nThe address is 900 S 9th St.' },
  ]);
});

test('is not applicable without the text of a document', async () => {
  const { verdict, questions } = await judgeAnswer(contextRelevance, 'x', {
    trial: { documents: [{ id: 'a' }] },
  });
  expect([verdict.status, questions.length]).toEqual(['not-applicable', 0]);
});
