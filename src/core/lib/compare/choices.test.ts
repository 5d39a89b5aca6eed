import { expect, test } from 'vitest';
import { compareChoices, findChoice } from './choices.ts';

const cities = [
  { label: 'A', text: 'London' },
  { label: 'B', text: 'Paris' },
  { label: 'C', text: 'Rome' },
  { label: 'D', text: 'New York' },
];

test.each([
  'B',
  'b',
  'B.',
  '(B)',
  '(b)',
  '[B]',
  '**B**',
  '"B"',
  'B)',
  'B:',
  'Answer: B',
  'answer: b',
  'Answer: **B**',
  'The answer is B',
  'The answer is B.',
  'The answer is (B).',
  'The correct answer is **B**.',
  'The correct option is B',
  'I would choose B.',
  'B) Paris',
  'B. Paris',
  'B: Paris',
  '(B) Paris',
  '**B) Paris**',
  'B - Paris',
  '<answer>B</answer>',
  '{"answer": "B"}',
  '```json\n{"final_answer": "B"}\n```',
  'ANSWER: $B$',
  'ANSWER: **B**',
  'The answer is B. Note that A is a common distractor.',
  'ANSWER IS B. A is incorrect.',
  'I considered (A), but it is incorrect. Final answer: B.',
  'First I thought A, but it is B.',
  '\\boxed{\\text{B}}',
  'B, because Paris is the capital.',
  'Paris',
  'paris.',
  'The capital is Paris.',
  'option 2',
  'Option B',
  '2',
  '\\boxed{B}',
  'It cannot be A. The answer is B.',
  'Not A but (B).',
  '<think>A? C?</think>B',
  'Let me think. London is in England.\nAnswer: B',
])('%j is choice B', (answer) => {
  expect(compareChoices(answer, 'B', cities)).toMatchObject({ outcome: 'same' });
  expect(compareChoices(answer, 'Paris', cities)).toMatchObject({ outcome: 'same' });
  expect(compareChoices(answer, 'C', cities)?.outcome).not.toBe('same');
});

test.each([
  'A',
  'C',
  '(C)',
  'Rome',
  'A) Paris',
  'B) Rome',
  'A, B',
  'A or B',
  'B and C',
  'Paris or Rome',
  'Both A and B',
  'All of them',
  'I do not know.',
  'not B',
  'Not Paris',
  'B is wrong.',
  'All except B.',
  'Any city other than Paris.',
  'Everything but (B)',
  'Anything apart from B',
  'E',
  '5',
  '',
  'The answer is C, not B',
  '<answer>A</answer> B is the other city.',
  '{"answer": "A"}',
  'First I thought B, but it is A.',
  'ANSWER: None of the above',
  "ANSWER: Don't know",
  'I cannot determine the answer. But maybe later.',
])('%j is not choice B', (answer) => {
  expect(compareChoices(answer, 'B', cities)?.outcome).not.toBe('same');
});

const three = ['London', 'Paris', 'Rome'].map((text, index) => ({ label: 'ABC'.charAt(index), text }));

test.each<[answer: string, expected: string, outcome: string]>([
  ['Let us think.\nA is liquid.\nB fits.\n\nB', 'B', 'same'],
  ['Let us think.\nB is liquid.\n\n(A)', 'B', 'different'],
  ['3) Paris', 'B', 'unclear'],
  ['2) Paris', 'B', 'same'],
  ['the second option', 'B', 'same'],
  ['The 2nd choice is right.', 'B', 'same'],
  ['The last one.', 'C', 'same'],
  ['The first one.', 'B', 'different'],
  ['not the second option', 'B', 'different'],
  ['It has to be Paris.', 'B', 'same'],
  ['Not London or Rome, so Paris.', 'B', 'same'],
  ['Neither Paris nor Rome, but London.', 'A', 'same'],
  ['Neither Paris nor Rome.', 'B', 'different'],
  ['Option C', 'B', 'different'],
  ['Definitely not A; B.', 'A', 'different'],
  ['Both B and C', 'B', 'unclear'],
])('%j for choice %s: %s', (answer, expected, outcome) => {
  expect(compareChoices(answer, expected, three)).toMatchObject({ outcome });
});

test('a number that is the text of a choice is no place', () => {
  const numbers = ['4', '3', '2', '1'].map((text, index) => ({ label: 'ABCD'.charAt(index), text }));
  expect(compareChoices('2', 'C', numbers)).toMatchObject({ outcome: 'same' });
  expect(compareChoices('2', 'B', numbers)).toMatchObject({ outcome: 'different' });
  expect(compareChoices('C) 2', 'C', numbers)).toMatchObject({ outcome: 'same' });
});

test('an article is no choice', () => {
  expect(compareChoices('a city that I like is Paris', 'B', cities)).toMatchObject({ outcome: 'same' });
});

test('an expected answer is a label or the text of one choice', () => {
  expect(findChoice('b', cities)?.label).toBe('B');
  expect(findChoice('new  york', cities)?.label).toBe('D');
  expect(findChoice('B) Paris', cities)?.label).toBe('B');
  expect(findChoice('Berlin', cities)).toBeUndefined();
});
