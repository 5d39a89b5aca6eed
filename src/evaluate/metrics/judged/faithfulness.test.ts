import { expect, test } from 'vitest';
import { judgeAnswer } from '../../../../test/support/judge-answer.ts';
import { faithfulness } from './faithfulness.ts';

test('the judge reads the documents with their ids, as far as their text is known', async () => {
  const documents = [{ id: 'deed.md', text: 'The lot is 12.' }, { id: 'note.md' }];
  const { verdict, questions } = await judgeAnswer(faithfulness, 'Lot 12.', { trial: { documents } });
  expect(verdict).toMatchObject({ status: 'scored', value: 0.5 });
  expect(questions[0]?.material).toContainEqual({ title: 'document 1', text: 'deed.md\n\nThe lot is 12.' });
  expect(questions[0]?.material.map(({ title }) => title)).toEqual(['question', 'document 1', 'answer']);
});

test('is not applicable without an expected answer and documents', async () => {
  const documents = [{ id: 'note.md' }];
  const { verdict, questions } = await judgeAnswer(faithfulness, 'x', { trial: { documents } });
  expect([verdict.status, questions.length]).toEqual(['not-applicable', 0]);
});
