import { expect, test } from 'vitest';
import { findLeaks, textsIn } from './prompt-leaks.ts';

const item = {
  caseId: 'refund',
  question: 'How do I get my money back?',
  answer: 'Within 30 days, by the form on our page.',
};

test('a question or an answer in a prompt is found, whatever its spaces and capitals', () => {
  const asks = (prompt: string) =>
    findLeaks([prompt], [item]).map(({ caseId, text }) => `${caseId}: ${text}`);
  expect(asks('Example: "HOW do I get\n  my money back?" is good.')).toEqual(['refund: question']);
  expect(asks('Pass "within 30 days, by the form on our page."')).toEqual(['refund: answer']);
  expect(asks('Pass "within 30 days, by the form on our page."')).toEqual(['refund: answer']);
  expect(asks('Show how do I get my money backwards.')).toEqual([]);
  expect(asks('Pass answers that say how to get money back.')).toEqual([]);
});

test('short texts are no proof', () => {
  const short = { ...item, question: 'Hours?', answer: "I don't know." };
  expect(findLeaks(["Fail answers such as I don't know. Hours? Fail."], [short])).toEqual([]);
});

test('texts are searched for anywhere in the settings of a metric', () => {
  const use = { use: 'rubric', text: 'one', examples: [{ answer: 'two', score: 1 }], together: true };
  expect([...textsIn(use)]).toEqual(['rubric', 'one', 'two']);
});
