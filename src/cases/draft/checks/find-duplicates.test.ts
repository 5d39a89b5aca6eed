import { expect, test } from 'vitest';
import type { Candidate } from './candidate.ts';
import { findDuplicates } from './find-duplicates.ts';

const candidate = (question: string, value = '36 dollars', document = 'membership'): Candidate => ({
  kind: 'fact',
  passages: [],
  question,
  answer: value,
  facts: [{ value, quote: value, document, passage: `${document}#1` }],
  unplaced: 0,
  category: '',
});

const known = [
  {
    id: 'member-price',
    question: 'How much does membership cost?',
    keywords: ['36 dollars'],
    documents: ['membership'],
  },
];

test('a question of the golden set is found in the same words, and in similar words by what it expects', () => {
  const questions = [
    'How much does the membership cost',
    'What does a membership cost in a year?',
    'Who may join?',
  ];
  const found = findDuplicates(
    questions.map((question) => candidate(question)),
    known,
  );
  expect([...found]).toEqual([
    [0, expect.stringContaining('says the same as member-price')],
    [1, 'expects the same of the same source as member-price, in similar words'],
  ]);
});

test('of two drafts that say the same, the later one is the duplicate', () => {
  const found = findDuplicates(
    [
      candidate('When is the workshop open?', 'Saturday', 'hours'),
      candidate('When is the workshop open?', 'Sunday', 'hours'),
    ],
    [],
  );
  expect([...found]).toEqual([[1, expect.stringContaining('says the same as question 1 of this draft')]]);
});

test('similar words that expect other facts, or the same facts of other documents, are other questions', () => {
  const found = findDuplicates(
    [
      candidate('What does a membership cost for students?', '12 dollars'),
      candidate('What does a membership cost in a year?', '36 dollars', 'fees'),
    ],
    known,
  );
  expect([...found]).toEqual([]);
});
