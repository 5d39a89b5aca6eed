import { expect, test } from 'vitest';
import { evaluate } from '../../library/api/runs/evaluate.ts';
import { reweighScorecard } from '../../library/config/reweigh-scorecard.ts';
import type { RunScorecard } from '../../core/schema/run.ts';

const expected = { keywords: ['lamp', 'euro'] };
const half = { metric: 'keywords', weight: 1 };

async function result(scorecard: object, passMark?: number) {
  const row = { question: 'What?', expected: { ...expected, ...(passMark !== undefined && { passMark }) } };
  return (await evaluate('The lamp costs 49.', row, { scorecard, metrics: [] })).scorecard;
}

test('the pass mark of a case replaces that of the scorecard, and is recorded', async () => {
  const card = { use: 'weighted', criteria: [half], passMark: 0.8 };
  expect(await result(card)).toMatchObject({ total: 0.5, passed: false });
  expect(await result(card)).not.toHaveProperty('passMark');
  expect(await result(card, 0.5)).toMatchObject({ total: 0.5, passed: true, passMark: 0.5 });
  expect(await result({ ...card, passMark: 0.1 }, 0.6)).toMatchObject({ total: 0.5, passed: false });
});

test('a required criterion counts whatever the pass mark of a case is', async () => {
  const card = { use: 'weighted', criteria: [{ ...half, required: true }] };
  expect(await result(card, 0.1)).toMatchObject({ total: 0.5, passed: false });
});

test('the scorecards of the source systems have it too', async () => {
  expect(await result({ use: 'three-component' }, 0.3)).toMatchObject({ passed: true, passMark: 0.3 });
  expect(await result({ use: 'three-component' }, 1)).toMatchObject({ passed: false, passMark: 1 });
  const parts = [
    { name: 'one', metric: { use: 'contains', value: 'lamp' }, weight: 0.5 },
    { name: 'two', metric: { use: 'contains', value: 'euro' }, weight: 0.5 },
  ];
  const card = { use: 'binary-weighted', criteria: parts };
  expect(await result(card)).toMatchObject({ total: 0.5, passed: false, outcome: 'graceful_failure' });
  expect(await result(card, 0.5)).toMatchObject({ total: 0.5, passed: true, outcome: 'graceful_failure' });
});

test('other weights over stored verdicts keep the pass mark of the case', () => {
  const kept: RunScorecard = {
    name: 'weighted',
    use: { use: 'weighted', criteria: [{ metric: 'keywords', weight: 1 }], passMark: 0.8 },
    version: 1,
    criteria: [{ name: 'keywords', metric: 'keywords', weight: 1, required: false }],
    grades: [],
    passMark: 0.8,
  };
  const card = reweighScorecard(kept, new Map([['keywords', 1]]));
  const verdicts = new Map([['keywords', { status: 'scored', value: 0.5 } as const]]);
  expect(card.evaluate(verdicts).passed).toBe(false);
  expect(card.evaluate(verdicts, 0.5).passed).toBe(true);
});
