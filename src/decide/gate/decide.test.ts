import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TargetSummary } from '../../core/schema/summary.ts';
import { decide } from './decide.ts';

const counts = {
  planned: 0,
  measured: 0,
  errors: 0,
  notMeasured: 0,
  cancelled: 0,
  notRun: 0,
  passed: 0,
  failed: 0,
  errorReports: 0,
};

/** Builds a target with measured trials of the given totals, and other trials that ended in errors. */
function summaryOf(totals: readonly number[], errors = 0, target = 'bot'): TargetSummary {
  const planned = totals.length + errors;
  const sum = totals.reduce((all, total) => all + total, 0);
  const value = totals.length === 0 ? null : sum / totals.length;
  return {
    target,
    score: { value, lower: null, upper: null, n: totals.length, confidence: 0.95, method: 't' },
    counts: { ...counts, planned, measured: totals.length, errors },
    coverage: planned === 0 ? 0 : totals.length / planned,
    worstCase: planned === 0 ? null : sum / planned,
    bestCase: planned === 0 ? null : (sum + errors) / planned,
  } as TargetSummary;
}

const outcomeOf = (targets: readonly TargetSummary[], failUnder?: number, minCoverage = 1) =>
  decide(targets, { failUnder, minCoverage }).outcome;

test('without a threshold, a completely measured run passes without a reason', () => {
  expect(decide([summaryOf([0.1, 0.2])], { minCoverage: 1 })).toEqual({ outcome: 'pass', reasons: [] });
});

test('a score at the threshold passes, one under it fails', () => {
  expect(outcomeOf([summaryOf([0.85])], 85)).toBe('pass');
  expect(outcomeOf([summaryOf([0.8499])], 85)).toBe('fail');
  expect(outcomeOf([summaryOf([0.1, 0.2])], 15)).toBe('pass');
});

test('a gate is not measured when missing trials could change its outcome', () => {
  expect(outcomeOf([summaryOf([1, 1, 1], 1)], 80)).toBe('not-measured');
  expect(outcomeOf([summaryOf([1, 1, 1], 1)])).toBe('not-measured');
  expect(outcomeOf([summaryOf([], 3)], 50)).toBe('not-measured');
});

test('a gate is decided when missing trials cannot change its outcome', () => {
  expect(outcomeOf([summaryOf([1, 1, 1], 1)], 70)).toBe('pass');
  expect(outcomeOf([summaryOf([0, 0, 0], 1)], 50)).toBe('fail');
});

test('a gate that requires less coverage decides on the measured trials', () => {
  expect(outcomeOf([summaryOf([1, 1, 1], 1)], 80, 0.75)).toBe('pass');
  expect(outcomeOf([summaryOf([0.7, 0.7, 0.7], 1)], 75, 0.75)).toBe('fail');
});

test('a failed target fails the gate and comes first; an unmeasured target makes the gate not measured', () => {
  const [good, bad, open] = [summaryOf([1], 0, 'good'), summaryOf([0], 0, 'bad'), summaryOf([], 1, 'open')];
  expect(outcomeOf([good, bad, open], 50)).toBe('fail');
  expect(outcomeOf([good, open], 50)).toBe('not-measured');
  expect(decide([good, bad], { minCoverage: 1, failUnder: 50 }).reasons).toEqual([
    expect.stringContaining('bad'),
    expect.stringContaining('good'),
  ]);
});

test('with full coverage required, no possible result of the missing trials contradicts a decision', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(share, { maxLength: 8 }),
      fc.array(share, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 100 }),
      (measured, missing, failUnder) => {
        const early = outcomeOf([summaryOf(measured, missing.length)], failUnder);
        const whole = outcomeOf([summaryOf([...measured, ...missing])], failUnder);
        if (early !== 'not-measured') expect(early).toBe(whole);
      },
    ),
  );
});
