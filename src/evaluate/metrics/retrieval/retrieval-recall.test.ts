import { expect, test } from 'vitest';
import { scoreDocuments } from '../../../../test/support/score-documents.ts';
import { retrievalRecall } from './retrieval-recall.ts';

test('two of three relevant documents were retrieved, one of them among the first three', () => {
  expect(scoreDocuments(retrievalRecall)).toBeCloseTo(2 / 3, 12);
  expect(scoreDocuments(retrievalRecall, { k: 3 })).toBeCloseTo(1 / 3, 12);
});
