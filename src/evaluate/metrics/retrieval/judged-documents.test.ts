import { expect, test } from 'vitest';
import { scoreDocuments } from '../../../../test/support/score-documents.ts';
import { judgedDocuments } from './judged-documents.ts';

test('three of five retrieved documents have a judgment, and both of the first two', () => {
  expect(scoreDocuments(judgedDocuments)).toBeCloseTo(3 / 5, 12);
  expect(scoreDocuments(judgedDocuments, { k: 2 })).toBe(1);
});

test('missing places of a short list count neither as judged nor as unjudged', () => {
  expect(scoreDocuments(judgedDocuments, { k: 10 })).toBeCloseTo(3 / 5, 12);
});
