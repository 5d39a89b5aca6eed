import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { passAtK, passHatK } from './pass-at-k.ts';

test('3 of 10 give pass@5 = 11/12, 6 of 8 give pass^4 = 3/14', () => {
  expect(passAtK({ counts: [{ n: 10, c: 3 }], k: 5 }).estimate).toBeCloseTo(11 / 12, 15);
  expect(passHatK({ counts: [{ n: 8, c: 6 }], k: 4 }).estimate).toBeCloseTo(3 / 14, 15);
  expect(passHatK({ counts: [{ n: 10, c: 3 }], k: 5 }).estimate).toBe(0);
});

const tasks = fc.array(
  fc.integer({ min: 1, max: 12 }).chain((n) => fc.record({ n: fc.constant(n), c: fc.nat(n) })),
  { minLength: 1, maxLength: 12 },
);

test('for k = 1 both are the mean pass rate, and then pass^k falls while pass@k rises', () => {
  fc.assert(
    fc.property(tasks, (counts) => {
      const rate = counts.reduce((sum, { n, c }) => sum + c / n, 0) / counts.length;
      expect(passAtK({ counts, k: 1 }).estimate).toBeCloseTo(rate, 12);
      expect(passHatK({ counts, k: 1 }).estimate).toBeCloseTo(rate, 12);
      const enough = counts.filter(({ n }) => n >= 3);
      fc.pre(enough.length > 0);
      const at = [1, 2, 3].map((k) => passAtK({ counts: enough, k }).estimate as number);
      const hat = [1, 2, 3].map((k) => passHatK({ counts: enough, k }).estimate as number);
      expect(at).toEqual(at.toSorted((x, y) => x - y));
      expect(hat).toEqual(hat.toSorted((x, y) => y - x));
    }),
  );
});

test('all of k fail exactly when none of k passes', () => {
  fc.assert(
    fc.property(tasks, fc.integer({ min: 1, max: 5 }), (counts, k) => {
      const failed = counts.map(({ n, c }) => ({ n, c: n - c }));
      const some = passAtK({ counts, k }).estimate;
      fc.pre(some !== null);
      expect(passHatK({ counts: failed, k }).estimate).toBeCloseTo(1 - some, 12);
    }),
  );
});

test('tasks with fewer than k attempts are left out and counted, never treated as passed or failed', () => {
  const counts = [
    { n: 4, c: 4 },
    { n: 2, c: 2 },
    { n: 4, c: 2 },
  ];
  expect(passHatK({ counts, k: 3 })).toEqual({
    status: 'defined',
    k: 3,
    n: 2,
    leftOut: 1,
    tasks: [1, null, 0],
    estimate: 0.5,
  });
  expect(passHatK({ counts, k: 5 })).toEqual({
    status: 'undefined',
    k: 5,
    n: 0,
    leftOut: 3,
    tasks: [null, null, null],
    estimate: null,
    reason: 'no task has 5 attempts',
  });
  expect(passAtK({ counts: [], k: 1 })).toMatchObject({ status: 'undefined', reason: 'no tasks' });
});

test('missing attempts count as failed on request', () => {
  const counts = [
    { n: 4, c: 4 },
    { n: 3, c: 3 },
  ];
  expect(passHatK({ counts, k: 3, unequal: 'largest-n' }).estimate).toBeCloseTo((1 + 1 / 4) / 2, 15);
  expect(
    passAtK({
      counts: [
        { n: 4, c: 0 },
        { n: 1, c: 1 },
      ],
      k: 4,
      unequal: 'largest-n',
    }).estimate,
  ).toBe(0.5);
});

test('invalid counts are refused with their task', () => {
  expect(() =>
    passAtK({
      counts: [
        { n: 1, c: 1 },
        { n: 2, c: 3 },
      ],
      k: 1,
    }),
  ).toThrow('c of task 2 is 3; it must be a whole number from 0 to n (2).');
  expect(() => passAtK({ counts: [{ n: 1.5, c: 1 }], k: 1 })).toThrow('n of task 1 is 1.5');
  expect(() => passHatK({ counts: [], k: 0 })).toThrow('k is 0');
});

/** Fifty tasks of four trials, with the results of the benchmark's own program; not part of the repository. */
const file = new URL('../../../../shared/data/tau-bench/tau_airline_pass_hat_k.json', import.meta.url);

test.skipIf(!existsSync(file))(
  'real trials have the values of the τ-bench program, equal or unequal (needs ../shared/data)',
  () => {
    const data = JSON.parse(readFileSync(file, 'utf8'));
    const counts = Object.values<number>(data.successes_per_task).map((c) => ({ n: 4, c }));
    const dropped = new Set<number>(data.unequal_trials_dropped.map(([task]: number[]) => task));
    const unequal = counts.map((task, place) => (dropped.has(place) ? { n: 3, c: task.c - 1 } : task));
    for (const k of [1, 2, 3, 4]) {
      expect(passHatK({ counts, k }).estimate).toBeCloseTo(data.all_trials[`pass^${k}`], 12);
      expect(passAtK({ counts, k }).estimate).toBeCloseTo(data.pass_at_k_for_contrast[`pass@${k}`], 12);
      const asThere = passHatK({ counts: unequal, k, unequal: 'largest-n' });
      expect(asThere.estimate).toBeCloseTo(data.unequal_trials[`pass^${k}`], 12);
    }
    expect(passHatK({ counts: unequal, k: 4 })).toMatchObject({ n: 48, leftOut: 2 });
  },
);
