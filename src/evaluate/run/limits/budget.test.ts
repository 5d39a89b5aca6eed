import { expect, test } from 'vitest';
import type { Judgement } from '../../../core/schema/judgement.ts';
import { buildFailedTrial, buildTrial } from '../../../library/testing/build-records.ts';
import { type Budget, createBudget } from './budget.ts';

function begin(maxCost: number | undefined, areJudged = false) {
  const stop = new AbortController();
  const reports: number[][] = [];
  const budget = createBudget(maxCost, {
    stop: stop.signal,
    areJudged,
    onSpent: (...said) => {
      reports.push(said);
      stop.abort();
    },
  });
  return { budget, reports, stop };
}

/** Returns whether a trial is admitted at once. */
async function isAdmitted(budget: Budget, target = 'bot'): Promise<boolean | 'waits'> {
  const turn = new Promise<'waits'>((resolve) => setImmediate(resolve, 'waits'));
  return await Promise.race([budget.admit(target), turn]);
}

const costing = (cost?: number) => buildTrial('yes', cost === undefined ? {} : { cost });

test('without a limit everything is admitted', async () => {
  const { budget } = begin(undefined);
  for (let trial = 0; trial < 100; trial += 1) expect(await isAdmitted(budget)).toBe(true);
  budget.settle(costing(1e9));
  expect(await isAdmitted(budget)).toBe(true);
});

test('until a price is known, trials of each target are made one at a time', async () => {
  const { budget } = begin(1);
  expect(await isAdmitted(budget)).toBe(true);
  expect(await isAdmitted(budget)).toBe('waits');
  expect(await isAdmitted(budget, 'other')).toBe(true);
});

test('until a trial has been judged, trials to be judged are made one at a time', async () => {
  const { budget } = begin(10, true);
  expect(await isAdmitted(budget)).toBe(true);
  expect(await isAdmitted(budget, 'other')).toBe('waits');
  budget.settle(costing(0));
  expect(await isAdmitted(budget)).toBe('waits');
  budget.addScored(1);
  await new Promise((resolve) => setImmediate(resolve));
  budget.settle(costing(0));
  budget.addScored(1);
  expect(await isAdmitted(budget)).toBe(true);
  expect(await isAdmitted(budget)).toBe(true);
});

test('trials in flight count, and a trial that could pass the limit waits for them', async () => {
  const { budget, reports } = begin(1);
  await budget.admit('bot');
  budget.settle(costing(0.3));
  budget.addScored(1);
  expect(await isAdmitted(budget)).toBe(true);
  expect(await isAdmitted(budget)).toBe(true);
  const fourth = budget.admit('bot');
  budget.settle(costing(0.3));
  budget.settle(costing(0.3));
  expect(await Promise.race([fourth, Promise.resolve('waits')])).toBe('waits');
  budget.addScored(2);
  expect(await fourth).toBe(false);
  expect(reports).toEqual([[expect.closeTo(0.9), expect.closeTo(0.3)]]);
});

test('a trial that was not begun after all makes room for the next', async () => {
  const { budget } = begin(1);
  expect(await isAdmitted(budget)).toBe(true);
  const second = budget.admit('bot');
  budget.withdraw('bot');
  expect(await second).toBe(true);
});

test('a limit that is met exactly is not passed', async () => {
  const { budget } = begin(0.3);
  for (let trial = 0; trial < 3; trial += 1) {
    expect(await isAdmitted(budget)).toBe(true);
    budget.settle(costing(0.1));
    budget.addScored(1);
  }
  expect(await budget.admit('bot')).toBe(false);
});

test('costs that differ are extrapolated with their spread', async () => {
  const { budget } = begin(10);
  for (const cost of [0.1, 1.9]) {
    budget.addKept(costing(cost));
    budget.addScored(1);
  }
  // 2 spent; one more costs 1 + 2 × 1.27: a third would pass 10, and so would a third under way.
  expect(await isAdmitted(budget)).toBe(true);
  expect(await isAdmitted(budget)).toBe(true);
  expect(await isAdmitted(budget)).toBe('waits');
});

test('a target that reports no cost is admitted, and a failure does not affect the price', async () => {
  const { budget } = begin(1);
  await budget.admit('bot');
  budget.settle(buildFailedTrial('timeout', 'late'));
  expect(await isAdmitted(budget)).toBe(true);
  expect(await isAdmitted(budget)).toBe('waits');
  budget.settle(costing());
  expect(await isAdmitted(budget)).toBe(true);
  expect(await isAdmitted(budget)).toBe(true);
});

test('judges that are still to be asked count, and a call with several judgements counts once', async () => {
  const { budget } = begin(1);
  const judgement = { calls: [{ id: 'one', cost: 0.4 }, { id: 'two' }] } as unknown as Judgement;
  await budget.admit('bot');
  budget.settle(costing(0.1));
  budget.addJudgements([judgement, judgement]);
  budget.addScored(1);
  expect(await isAdmitted(budget)).toBe(true);
  budget.settle(costing(0.1));
  // 0.6 spent, 0.4 for the judge of the second: nothing is left for a third.
  expect(await isAdmitted(budget)).toBe('waits');
  expect(budget.spent()).toEqual({ targets: expect.closeTo(0.2), judges: 0.4, users: 0 });
});

test('judges that pass the limit nevertheless end the run', () => {
  const { budget, reports } = begin(1);
  budget.addJudgements([{ calls: [{ id: 'one', cost: 1.5 }] } as unknown as Judgement]);
  expect(reports).toEqual([[1.5, 0]]);
});

test('the cost of simulated users is counted separately', () => {
  const { budget } = begin(undefined);
  const conversation = { turns: [], ended: 'script', user: { name: 'model', cost: 0.25 } } as never;
  budget.addKept({ ...costing(0.5), conversation });
  expect(budget.spent()).toEqual({ targets: 0.5, judges: 0, users: 0.25 });
});

test('the cost of rewriting questions counts with the users', () => {
  const { budget } = begin(undefined);
  budget.addKept({ ...costing(0.5), rewriting: { model: 'm', cost: 0.125 } });
  expect(budget.spent()).toEqual({ targets: 0.5, judges: 0, users: 0.125 });
});

test('a stop wakes all waiting trials', async () => {
  const { budget, stop } = begin(1);
  await budget.admit('bot');
  const second = budget.admit('bot');
  stop.abort();
  expect(await second).toBe(false);
});
