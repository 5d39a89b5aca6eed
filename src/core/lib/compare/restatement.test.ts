import { expect, test } from 'vitest';
import { compareTexts } from './compare-texts.ts';

test.each<[question: string, expected: string, answer: string]>([
  ['Who wrote Hamlet?', 'William Shakespeare', 'William Shakespeare wrote Hamlet.'],
  ['Who wrote Hamlet?', 'William Shakespeare', 'William Shakespeare wrote Hamlet around 1600.'],
  [
    'Who discovered penicillin?',
    'Alexander Fleming',
    "Penicillin was discovered by Alexander Fleming in 1928 at St Mary's Hospital.",
  ],
  ['Where is the pool?', 'the lobby', 'The pool is in the lobby on the first floor.'],
  ['What is the capital of France?', 'Paris', 'The capital of France is Paris, which lies on the Seine.'],
  ['How long do refunds take?', 'within 14 days', 'Yes, within 14 days'],
])('%s %s: “%s” passes', (question, expected, answer) => {
  expect(compareTexts(answer, expected, { question })).toMatchObject({ outcome: 'same' });
});

test.each<[question: string, expected: string, answer: string]>([
  ['What is the capital of France?', 'Paris', 'Paris in Texas'],
  ['What is the capital of France?', 'Paris', 'Paris, Texas, is the capital of France in Europe'],
  ['Who wrote Hamlet?', 'William Shakespeare', 'William Shakespeare wrote Macbeth in 1606.'],
  ['Who wrote Hamlet?', 'William Shakespeare', 'Judith Shakespeare wrote Hamlet in 1606.'],
  ['Who wrote Hamlet?', 'William Shakespeare', 'William Shakespeare wrote Hamlet, or Marlowe in 1600.'],
  ['Who paid for the tickets?', 'Alice', 'Alice paid for half of the tickets.'],
  ['Where is the pool?', 'on the first floor', 'The pool is on the second floor.'],
])('%s %s: “%s” does not pass', (question, expected, answer) => {
  expect(compareTexts(answer, expected, { question }).outcome).not.toBe('same');
});
