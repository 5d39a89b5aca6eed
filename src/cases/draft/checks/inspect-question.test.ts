import { expect, test } from 'vitest';
import type { Candidate } from './candidate.ts';
import { checkText } from './inspect-question.ts';

const passages = [
  {
    id: 'closing#1',
    document: 'closing',
    headings: ['Purchase price'],
    text: 'The contract sales price is **$435,000**. It was paid in cash and\nthere is no mortgage. Closing was on June 15, 2023.',
  },
  {
    id: 'tax#2',
    document: 'tax',
    headings: [],
    text: 'The basis of the property is $442,300, closing costs of $7,300 included.',
  },
];
const price = {
  value: '$435,000',
  quote: 'The contract sales price is $435,000.',
  document: 'closing',
  passage: 'closing#1',
};
const basis = {
  value: '442,300',
  quote: 'The basis of the property is $442,300',
  document: 'tax',
  passage: 'tax#2',
};

const candidate: Candidate = {
  kind: 'fact',
  passages,
  question: 'What did we pay for the building?',
  answer: 'We paid $435,000.',
  facts: [price],
  unplaced: 0,
  category: '',
};

/** Returns the reasons to reject a candidate with these parts. */
const rejectionsOf = (parts: Partial<Candidate>) =>
  checkText({ ...candidate, ...parts }).flatMap(({ rejection }) =>
    rejection === undefined ? [] : [rejection],
  );

test('a question with quotes that are in its passages passes, whatever their emphasis and line breaks', () => {
  expect(checkText(candidate)).toEqual([
    { name: 'quotes', passed: true, reason: '1 found word for word' },
    { name: 'kind', passed: true, reason: 'fact: 1 facts of 1 documents' },
    { name: 'wording', passed: true, reason: 'at most 1 words in a row are copied from the document' },
  ]);
  expect(
    rejectionsOf({
      facts: [{ ...price, value: 'no mortgage', quote: 'paid in cash and there is no mortgage' }],
    }),
  ).toEqual([]);
});

test.each([
  ['other words', { ...price, quote: 'The sales price is $435,000.' }],
  ['another passage', { ...price, passage: 'tax#2' }],
  ['no words at all', { ...price, quote: '…' }],
])('a fact whose quote has %s is rejected', (_what, fact) => {
  expect(rejectionsOf({ facts: [fact] })).toEqual(['quote-not-found']);
});

test('a question without facts, or with a fact of a passage that does not exist, is rejected', () => {
  expect(rejectionsOf({ facts: [] })).toEqual(['quote-not-found']);
  expect(rejectionsOf({ unplaced: 1 })).toEqual(['quote-not-found']);
});

test.each([
  ['$442,300', 'value-not-quoted'],
  ['35,000', 'value-not-quoted'],
  ['435000', undefined],
])('the quote of the price states %s: %s', (value, rejection) => {
  expect(rejectionsOf({ facts: [{ ...price, value }] })).toEqual(rejection === undefined ? [] : [rejection]);
});

test('a question must need as much as its kind promises', () => {
  expect(rejectionsOf({ kind: 'comparison' })).toEqual(['too-simple']);
  expect(rejectionsOf({ kind: 'comparison', facts: [price, basis] })).toEqual([]);
  expect(rejectionsOf({ kind: 'multi-document' })).toEqual(['too-simple']);
  expect(rejectionsOf({ kind: 'multi-document', facts: [price, basis] })).toEqual([]);
  expect(rejectionsOf({ kind: 'unanswerable', answer: null, facts: [] })).toEqual([]);
  expect(rejectionsOf({ kind: 'unanswerable', answer: null })).toEqual(['answerable']);
});

test.each([
  ['According to the passage, what did the building cost?', 'refers-to-text'],
  ['What does the text say about the cost of the building?', 'refers-to-text'],
  ['Which price is given in passage 1?', 'refers-to-text'],
  ['Was it paid in cash and there is no mortgage, or what was the price?', 'copies-text'],
  ['Is it right that we paid $435,000?', 'answer-in-question'],
])('%s → %s', (question, rejection) => {
  expect(rejectionsOf({ question })).toEqual([rejection]);
});

test.each(['What is in section 4 of the lease?', 'What does the contract say about cash?'])(
  'a question may name a document of its reader: %s',
  (question) => {
    expect(rejectionsOf({ question })).toEqual([]);
  },
);
