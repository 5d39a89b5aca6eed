import { expect, test } from 'vitest';
import { createPassageSearch } from '../documents/search-passages.ts';
import type { Candidate } from './candidate.ts';
import { measureQuestion, rateDifficulty } from './inspect-question.ts';

const passages = ['tools are lent for a week', 'fees for late tools', 'the workshop opens on Saturday'].map(
  (text, index) => ({ id: `d${index + 1}#1`, document: `d${index + 1}`, headings: [], text }),
);
const [, fees, workshop] = passages;

const ask = (question: string, needed: readonly (typeof passages)[number][]): Candidate => ({
  kind: 'fact',
  passages: needed,
  question,
  answer: '',
  facts: needed.map(({ id, document }) => ({ value: '', quote: '', document, passage: id })),
  unplaced: 0,
  category: '',
});

test('the rank of a needed passage and the shared words are measured, and the worst rank counts', () => {
  const search = createPassageSearch(passages);
  expect(measureQuestion(ask('What are the late fees?', [fees as never]), search)).toEqual({
    passages: 1,
    rank: 1,
    overlap: 2 / 3,
  });
  expect(measureQuestion(ask('late tools', passages.slice(0, 2)), search)).toMatchObject({
    passages: 2,
    rank: 2,
  });
  expect(measureQuestion(ask('What does an overdue drill cost?', [workshop as never]), search)).toEqual({
    passages: 1,
    rank: null,
    overlap: 0,
  });
});

test.each([
  ['fact', { passages: 1, rank: 1, overlap: 1 }, 'easy'],
  ['fact', { passages: 1, rank: 2, overlap: 1 }, 'medium'],
  ['fact', { passages: 1, rank: 6, overlap: 1 }, 'hard'],
  ['fact', { passages: 1, rank: null, overlap: 0 }, 'hard'],
  ['multi-document', { passages: 2, rank: 5, overlap: 1 }, 'medium'],
  ['multi-document', { passages: 2, rank: null, overlap: 1 }, 'hard'],
  ['unanswerable', { passages: 0, rank: null, overlap: 0.5 }, 'hard'],
  ['unanswerable', { passages: 0, rank: null, overlap: 0.4 }, 'medium'],
] as const)('%s with %o is %s', (kind, measured, difficulty) => {
  expect(rateDifficulty(kind, measured)).toBe(difficulty);
});
