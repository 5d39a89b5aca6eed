import { expect, test } from 'vitest';
import { judgeParts } from './judge-parts.ts';

const nothing = { sum: null, reported: 0, unknown: 0 };

test('what judging took is told apart, and an unknown cost is not 0', () => {
  const parts = judgeParts({
    asked: 1200,
    cached: 30,
    failed: 2,
    calls: 1203,
    inputTokens: { sum: 400_000, reported: 1203, unknown: 0 },
    outputTokens: { sum: 52_000, reported: 1203, unknown: 0 },
    cost: { sum: 0.5, reported: 1200, unknown: 3 },
  });
  expect(parts).toEqual([
    '1,200 judgements in 1,203 calls',
    '30 known before, not paid again',
    '400,000 tokens in',
    '52,000 tokens out',
    '$0.50',
    'cost unknown for 3 calls',
    '2 verdicts missing because the judge failed',
  ]);
});

test('a run whose judgements were all there before cost nothing', () => {
  const judge = {
    asked: 0,
    cached: 5,
    failed: 0,
    calls: 0,
    inputTokens: nothing,
    outputTokens: nothing,
    cost: nothing,
  };
  expect(judgeParts(judge)).toEqual(['0 judgements in 0 calls', '5 known before, not paid again']);
});
