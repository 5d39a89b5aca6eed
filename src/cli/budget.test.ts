import { expect, test } from 'vitest';
import type { Judgement } from '../schema/judgement.ts';
import { buildCase, buildTrial } from '../testing/build-records.ts';
import { createBudget } from './budget.ts';

const costing = (...costs: (number | undefined)[]) =>
  costs.map((cost) => ({
    case: buildCase(),
    trial: buildTrial('yes', cost === undefined ? {} : { cost }),
    verdicts: {},
    scorecard: null,
  }));

test('a budget is spent once its amount is reached, and says so once', () => {
  const told: number[] = [];
  const budget = createBudget(1, (spent) => told.push(spent));
  budget.add(costing(0.5, undefined, 0.25));
  expect(budget.isSpent()).toBe(false);
  budget.add(costing(0.25));
  budget.add(costing(4));
  expect(budget.isSpent()).toBe(true);
  expect(told).toEqual([1]);
});

test('without an amount nothing is ever spent', () => {
  const budget = createBudget(undefined, () => expect.unreachable());
  budget.add(costing(1e9));
  expect(budget.isSpent()).toBe(false);
});

test('a budget of nothing allows what costs nothing, until the first answer', () => {
  const told: number[] = [];
  createBudget(0, (spent) => told.push(spent)).add(costing(0));
  expect(told).toEqual([0]);
});

test('what judges cost is told apart, and a call with several judgements counts once', () => {
  const budget = createBudget(undefined, () => expect.unreachable());
  const judgement = { calls: [{ id: 'one', cost: 0.25 }, { id: 'two' }] } as unknown as Judgement;
  budget.add(costing(0.5));
  budget.addJudgements([judgement, judgement]);
  expect(budget.spent()).toEqual({ targets: 0.5, judges: 0.25 });
});
