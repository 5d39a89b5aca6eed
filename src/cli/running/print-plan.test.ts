import { expect, test } from 'vitest';
import { formatPlan } from './print-plan.ts';

const plan = {
  cases: 40,
  targets: ['v1', 'v2'],
  attempts: 1,
  kept: 0,
  calls: 80,
  concurrency: 8,
  timeLimitMs: 60_000,
  maxRetries: 1,
  price: null,
};

test('a plan states the number of calls and how they are made', () => {
  expect(formatPlan(plan)).toBe(`Would call: 40 questions × 2 targets (v1, v2) × 1 attempt = 80 calls
At most 8 at a time for each target, 60000 ms and 1 retry for each call.
Price: unknown, since no earlier run recorded what an answer costs.
Nothing was called.
`);
});

test('the plan of a sequential run says so, with its error rate', () => {
  expect(formatPlan({ ...plan, sequentialError: 0.01 })).toContain(
    '\nAsked in a random order, and only until the gate is decided (at most 1 % of runs pass a target that breaks a rule, or fail one that meets every rule): the number above is the most.\n',
  );
});

test('the stored answers of a resumed run are subtracted', () => {
  expect(formatPlan({ ...plan, kept: 79, calls: 1 })).toContain('minus 79 already stored = 1 call\n');
});

test('a bot that is said to be deterministic is asked some questions a second time', () => {
  expect(formatPlan({ ...plan, again: 5, calls: 85 })).toContain(
    '1 attempt, and 5 a second time = 85 calls\n',
  );
});

test('targets under conditions add calls, and notices list what is left out', () => {
  const underConditions = ['v1 + fault timeout', 'v1 + typos'];
  const notices = ['Left out: fault timeout for v2: its tools are out of reach.'];
  expect(
    formatPlan({ ...plan, underConditions, notices, calls: 160 }),
  ).toBe(`Would call: 40 questions × 4 targets (v1, v2, and 2 under conditions) × 1 attempt = 160 calls
At most 8 at a time for each target, 60000 ms and 1 retry for each call.
Price: unknown, since no earlier run recorded what an answer costs.
Conditions:
  v1 + fault timeout
  v1 + typos
Notices:
  Left out: fault timeout for v2: its tools are out of reach.
Nothing was called.
`);
});

test('the price is estimated from earlier runs, and names targets without a price and the limit', () => {
  const price = { cost: 1.2, from: ['20260102-030405-abcd'], unknown: [] };
  expect(formatPlan({ ...plan, price, maxCost: 5 })).toContain(
    'Price: about $1.20, from the cost of an attempt in 20260102-030405-abcd.\nLimit: $5.00, judges included.\n',
  );
  expect(formatPlan({ ...plan, price: { ...price, unknown: ['v2'] } })).toContain(
    '; without v2, whose price is unknown.\n',
  );
});

test('every question is listed by its title when asked for', () => {
  const questions = [{ id: 'lamp', title: 'lamp: What does the lamp cost?' }];
  expect(formatPlan({ ...plan, questions })).toContain(
    'Questions:\n  lamp: What does the lamp cost?\nNothing was called.\n',
  );
});
