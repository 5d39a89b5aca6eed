import { expect, test } from 'vitest';
import { sprt } from './sprt.ts';

/** The average behaviour of a stopping rule: cases judged, and chances of its decisions. */
type Course = { readonly cases: number; readonly chances: Map<string, number> };

/** Returns the exact course over all outcomes at a pass rate, to at most this many cases. */
function courseAt(rate: number, most: number, decide: (successes: number, trials: number) => string): Course {
  const chances = new Map<string, number>();
  let cases = 0;
  let alive = [1];
  for (let trials = 1; trials <= most; trials += 1) {
    cases += alive.reduce((sum, chance) => sum + chance, 0);
    const next = Array.from({ length: trials + 1 }, (_, successes) => {
      return (alive[successes] ?? 0) * (1 - rate) + (alive[successes - 1] ?? 0) * rate;
    });
    for (const [successes, chance] of next.entries()) {
      if (chance < 1e-12) continue;
      const decision = decide(successes, trials);
      if (decision === 'continue') continue;
      chances.set(decision, (chances.get(decision) ?? 0) + chance);
      next[successes] = 0;
    }
    alive = next;
  }
  return { cases, chances };
}

test.each([
  [0.8, 65.5],
  [0.9, 75],
  [0.85, 115.9],
  [0.95, 38.4],
])('the sequential test of 0.8 against 0.9 at a rate of %d takes %d cases on average', (rate, cases) => {
  const course = courseAt(rate, 1500, (successes, trials) => {
    return sprt({ successes, trials, p0: 0.8, p1: 0.9 }).decision;
  });
  expect(course.cases).toBeCloseTo(cases, 1);
});

test('at its two rates the sequential test errs at most 5 %, with more than a third fewer cases than 135', () => {
  const decide = (successes: number, trials: number) =>
    sprt({ successes, trials, p0: 0.8, p1: 0.9, alpha: 0.05, beta: 0.05 }).decision;
  const bad = courseAt(0.8, 1500, decide);
  const good = courseAt(0.9, 1500, decide);
  expect(bad.chances.get('pass')).toBeLessThan(0.05);
  expect(good.chances.get('fail')).toBeLessThan(0.05);
  expect(Math.max(bad.cases, good.cases)).toBeLessThan((135 * 2) / 3);
});

test('the statistic is the logarithm of the likelihood ratio, and a cap ends what is undecided', () => {
  const state = sprt({ successes: 9, trials: 12, p0: 0.5, p1: 0.9 });
  expect(state).toMatchObject({ status: 'defined', decision: 'continue', n: 12 });
  expect(state.statistic).toBeCloseTo(9 * Math.log(1.8) + 3 * Math.log(0.2), 12);
  expect(state.upper).toBeCloseTo(Math.log(19), 14);
  expect(state.lower).toBeCloseTo(-Math.log(19), 14);
  expect(sprt({ successes: 9, trials: 12, p0: 0.5, p1: 0.9, cap: 12 }).decision).toBe('inconclusive');
  expect(sprt({ successes: 0, trials: 0, p0: 0.5, p1: 0.9 }).decision).toBe('continue');
});

test('invalid rules are refused', () => {
  expect(() => sprt({ successes: 1, trials: 2, p0: 0.9, p1: 0.8 })).toThrow(
    'p1 is 0.8; it must be above p0 (0.9)',
  );
  expect(() => sprt({ successes: 1, trials: 2, p0: 0.8, p1: 0.9, alpha: 0.5, beta: 0.5 })).toThrow(
    'beta is 0.5',
  );
  expect(() => sprt({ successes: 1, trials: 2, p0: 0.8, p1: 0.9, cap: 0 })).toThrow('cap is 0');
});
