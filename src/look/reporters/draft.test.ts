import { expect, test } from 'vitest';
import type { DraftReport } from '../../core/schema/api/draft-report.ts';
import { draftText } from './draft.ts';

const report: DraftReport = {
  version: 1,
  dataset: 'golden.jsonl',
  seed: 0,
  model: { name: 'small', fingerprint: 'f' },
  prompts: {},
  documents: [{ id: 'fees', hash: 'h', passages: 4, questions: 2 }],
  notices: [],
  planned: 8,
  drafted: 8,
  kept: 0,
  known: 0,
  notChecked: 0,
  rejected: [
    { rejection: 'not-written', questions: 7 },
    { rejection: 'quote-not-found', questions: 1 },
  ],
  spending: { calls: 8, cost: 0 },
  isStopped: false,
  questions: [],
};
const view = { width: 200, color: false, verbose: false } as const;

test('a model that leaves most questions out is said to be too weak, one that does not is not', () => {
  const text = draftText(report, view);
  expect(text).toContain('drafted 8, kept 0: 7 questions that the model did not write, 1 quote not found');
  expect(text).toContain('This model seldom writes what it is asked for: try a larger one.');
  const few = { ...report, rejected: [{ rejection: 'reply-unusable', questions: 3 } as const] };
  expect(draftText(few, view)).not.toContain('larger');
});
