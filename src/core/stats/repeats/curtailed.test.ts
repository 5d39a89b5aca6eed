import { describe, expect, test } from 'vitest';
import { curtailedPassAtK, curtailedPassHatK, curtailedRate } from './curtailed-rates.ts';
import { type AttemptRule, settleAttempts } from './settle-attempts.ts';

const rules: AttemptRule[] = [1, 2, 3, 5, 8].flatMap((planned) =>
  Array.from({ length: planned }, (_, index) => ({ planned, required: index + 1 })),
);
const rates = [0.03, 0.25, 0.5, 0.8, 0.97];

interface Ending {
  readonly results: readonly (boolean | null)[];
  readonly probability: number;
}

/**
 * Yields every possible course of the attempts at a case, with its chance. `missing` are the places of unmeasured
 * attempts.
 */
function* endings(rule: AttemptRule, p: number, missing: ReadonlySet<number>): Generator<Ending> {
  const open: Ending[] = [{ results: [], probability: 1 }];
  for (let ending = open.pop(); ending !== undefined; ending = open.pop()) {
    const { results, probability } = ending;
    const passed = results.filter((result) => result === true).length;
    const failed = results.filter((result) => result === false).length;
    const isSettled = passed === rule.required || failed === rule.planned - rule.required + 1;
    if (isSettled || results.length === rule.planned) yield ending;
    else if (missing.has(results.length)) open.push({ results: [...results, null], probability });
    else {
      open.push({ results: [...results, true], probability: probability * p });
      open.push({ results: [...results, false], probability: probability * (1 - p) });
    }
  }
}

function countsOf(results: Ending['results']) {
  const successes = results.filter((result) => result === true).length;
  return { successes, trials: results.filter((result) => result !== null).length };
}

function expectation(
  rule: AttemptRule,
  p: number,
  of: (results: Ending['results']) => number,
  missing: ReadonlySet<number> = new Set(),
): number {
  return endings(rule, p, missing).reduce(
    (sum, { results, probability }) => sum + probability * of(results),
    0,
  );
}

describe.each(rules)('attempts that stop once $required of $planned passed or cannot', (rule) => {
  test.each(rates)('show a rate of %d without bias', (p) => {
    const rate = (results: Ending['results']) =>
      curtailedRate({ ...rule, ...countsOf(results) }).estimate ?? Number.NaN;
    expect(expectation(rule, p, rate)).toBeCloseTo(p, 12);
  });

  test.each(rates)('show it without bias when some could not be measured, at %d', (p) => {
    if (rule.planned < 3) return;
    const rate = (results: Ending['results']) =>
      curtailedRate({ ...rule, ...countsOf(results) }).estimate ?? Number.NaN;
    expect(expectation(rule, p, rate, new Set([0]))).toBeCloseTo(p, 12);
    expect(expectation(rule, p, rate, new Set([1, rule.planned - 1]))).toBeCloseTo(p, 12);
  });

  test.each(rates)('show the mean of scores without bias, at %d', (p) => {
    const scoreOf = (result: boolean | null) => (result === true ? 0.9 : 0.2);
    const mean = (results: Ending['results']) => {
      const { weights } = settleAttempts({ ...rule, results });
      expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(rule.planned, 12);
      return (
        results.reduce((sum, result, place) => sum + (weights[place] ?? 0) * scoreOf(result), 0) /
        rule.planned
      );
    };
    expect(expectation(rule, p, mean)).toBeCloseTo(0.9 * p + 0.2 * (1 - p), 12);
  });

  test.each(rates)('show pass@k and pass^k without bias, or not at all, at %d', (p) => {
    for (let k = 1; k <= rule.planned; k += 1) {
      const any = (results: Ending['results']) => {
        const { successes: c, trials: n } = countsOf(results);
        return curtailedPassAtK({ ...rule, counts: [{ n, c }], k }).estimate ?? Number.NaN;
      };
      const all = (results: Ending['results']) => {
        const { successes: c, trials: n } = countsOf(results);
        return curtailedPassHatK({ ...rule, counts: [{ n, c }], k }).estimate ?? Number.NaN;
      };
      const canFail = k <= rule.planned - rule.required + 1;
      expect(expectation(rule, p, any)).toEqual(canFail ? expect.closeTo(1 - (1 - p) ** k, 12) : Number.NaN);
      expect(expectation(rule, p, all)).toEqual(k <= rule.required ? expect.closeTo(p ** k, 12) : Number.NaN);
    }
  });

  test('attempts that stop early reach the verdict of all attempts', () => {
    for (const { results: all } of endings({ planned: rule.planned, required: Infinity }, 0.5, new Set())) {
      const used = settleAttempts({ ...rule, results: all });
      expect(used.decision).toBe(countsOf(all).successes >= rule.required ? 'pass' : 'fail');
      expect(settleAttempts({ ...rule, results: all.slice(0, used.used) }).decision).toBe(used.decision);
      expect(settleAttempts({ ...rule, results: all.slice(0, used.used - 1) }).decision).toBe('continue');
    }
  });
});

test('the plain share of passes is biased, and the estimate corrects the bias', () => {
  const share = (results: Ending['results']) => countsOf(results).successes / results.length;
  expect(expectation({ planned: 5, required: 1 }, 0.5, share)).toBeGreaterThan(0.6);
});

test('a number missing for unmeasured attempts is weighted over the other attempts', () => {
  const { weights, decision } = settleAttempts({
    planned: 5,
    required: 2,
    results: [true, null, false, true],
  });
  expect(decision).toBe('pass');
  expect(weights).toEqual([5 / 6, 5 / 3, 5 / 3, 5 / 6].map((weight) => expect.closeTo(weight, 14)));
});

test('an attempt after the settled verdict does not count', () => {
  const { used, weights } = settleAttempts({ planned: 3, required: 1, results: [true, false] });
  expect(used).toBe(1);
  expect(weights).toEqual([3, 0]);
});

test('counts that are impossible under the rule are refused', () => {
  const rule = { planned: 5, required: 4 };
  expect(() => curtailedRate({ ...rule, successes: 5, trials: 5 })).toThrow(RangeError);
  expect(() => curtailedRate({ ...rule, successes: 1, trials: 4 })).toThrow(RangeError);
  expect(() => curtailedRate({ planned: 5, required: 6, successes: 1, trials: 4 })).toThrow(/required is 6/);
  expect(() => curtailedPassAtK({ ...rule, counts: [], k: 0 })).toThrow(RangeError);
  expect(curtailedRate({ ...rule, successes: 0, trials: 0 })).toMatchObject({ status: 'undefined' });
});
