import { expect, test } from 'vitest';
import type { JudgeCall, Judgement } from '../../schema/judgement.ts';
import { tallyJudgements } from './tally-judgements.ts';

const call = (id: string, parts: Partial<JudgeCall> = {}): JudgeCall => ({
  id,
  startedAt: '2026-01-02T03:04:05.000Z',
  prompt: [],
  parameters: {},
  model: 'judge',
  reply: '{}',
  usage: { inputTokens: 100, outputTokens: 10 },
  cost: 0.25,
  attempts: [],
  ...parts,
});

const judgement = (key: string, calls: JudgeCall[], askedIn = 'mine'): Judgement => ({
  id: key,
  key,
  judge: { name: 'judge', fingerprint: 'f' },
  question: { id: 'relevance@1', shape: 'score', sample: 1 },
  askedIn,
  askedAt: '2026-01-02T03:04:05.000Z',
  outcome: { status: 'answered', answer: {} },
  calls,
});

async function* each<Item>(items: readonly Item[]) {
  yield* items;
}

test('a call for several questions is paid once, one without a reply not at all, and earlier runs paid theirs', async () => {
  const shared = call('shared');
  const { cost: _unknown, ...unpriced } = call('unpriced');
  const lost = { reply: null, usage: undefined, error: { code: 'timeout', message: 'late' } };
  const all = [
    judgement('a', [shared]),
    judgement('b', [shared]),
    judgement('c', [call('first'), unpriced]),
    judgement('d', [call('lost', lost)]),
    judgement('e', [call('earlier')], 'other'),
  ];
  expect(await tallyJudgements('mine', each(all), [])).toEqual({
    asked: 4,
    cached: 1,
    failed: 0,
    calls: 4,
    inputTokens: { sum: 300, reported: 3, unknown: 0 },
    outputTokens: { sum: 30, reported: 3, unknown: 0 },
    cost: { sum: 0.5, reported: 2, unknown: 1 },
  });
});

test('nothing judged is nothing to tell', async () => {
  expect(await tallyJudgements('mine', each([]), [])).toBeUndefined();
});
