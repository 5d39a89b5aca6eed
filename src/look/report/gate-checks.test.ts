import { expect, test } from 'vitest';
import type { RuleDecision } from '../../core/schema/decision.ts';
import type { Gate } from '../../core/schema/gate.ts';
import { countChecks, listGateChecks } from './gate-checks.ts';

/** Builds a decided rule, a pass rate of 44 of 50 unless a test says otherwise. */
function rule(parts: Partial<RuleDecision> = {}): RuleDecision {
  return {
    name: 'rate',
    type: 'pass-rate',
    target: 'bot',
    outcome: 'inconclusive',
    reason: 'neither shown nor ruled out',
    arithmetic: '44 of 50',
    value: 0.88,
    threshold: 0.8,
    lower: 0.777,
    upper: 0.946,
    confidence: 0.95,
    n: 50,
    ...parts,
  };
}

function list(rules: RuleDecision[], gate: Partial<Gate> = {}, units: Record<string, string> = {}) {
  const decision = { outcome: 'fail' as const, reasons: [], rules };
  return listGateChecks({ gate: { minCoverage: 1, ...gate }, decision, thresholds: [], units });
}

test('rules that did not pass come first', () => {
  const outcomes = ['pass', 'inconclusive', 'fail', 'not-measured'] as const;
  const checks = list(outcomes.map((outcome) => rule({ outcome })));
  expect(checks.map(({ outcome }) => outcome)).toEqual(['fail', 'not-measured', 'inconclusive', 'pass']);
  expect(countChecks(checks)).toBe('1 fail · 1 not measured · 1 inconclusive · 1 pass');
});

test('shares, times and differences have their units', () => {
  const none = { lower: undefined, upper: undefined };
  const latency = rule({ name: 'fast', type: 'latency', value: 1240, threshold: 1000, ...none });
  const difference = { value: -0.021, threshold: -0.05, lower: -0.08, upper: 0.03 };
  const slow = { name: 'words', type: 'metric', value: 120, threshold: 100, lower: 110, upper: 130 };
  const rules = { words: { type: 'metric', metric: 'length', atMost: 100, confidence: 0.95 } } as const;
  const checks = list(
    [rule(), latency, rule({ name: 'no worse', type: 'no-regression', ...difference }), rule(slow)],
    { rules },
    { length: 'words' },
  );
  expect(checks.map(({ measured, needed, interval }) => [measured, needed, interval])).toEqual([
    ['88.0 %', 'at least 80.0 %', '[77.7, 94.6]'],
    ['1.24 s', 'at most 1.00 s', ''],
    ['−2.1 points', 'above −5.0 points', '[−8.0, +3.0]'],
    ['120 words', 'at most 100 words', '[110, 130 words]'],
  ]);
  expect(checks[3]?.cases.sort).toBe('-metric.length');
});

test('an undecided rule says how many cases decide it, by the bound on the side of the threshold', () => {
  const [above, below] = list([rule(), rule({ value: 0.7, lower: 0.57, upper: 0.81 })]);
  expect(above?.more).toBe(
    'About 190 questions, 140 more than now, would decide it with 80 % power if the value stays 88.0 %.',
  );
  expect(below?.more).toBe(
    'About 139 questions, 89 more than now, would decide it with 80 % power if the value stays 70.0 %.',
  );
  const [equal] = list([rule({ value: 0.8, lower: 0.7, upper: 0.88 })]);
  expect(equal?.more).toContain('no number of questions');
  expect(list([rule({ outcome: 'pass' })])[0]?.more).toBe('');
});

test('the cases of a rule are those of its target and category', () => {
  const [check] = list([rule({ category: 'refunds' })]);
  expect(check?.cases.where).toEqual([
    { field: 'target', operator: '=', values: ['bot'] },
    { field: 'category', operator: '=', values: ['refunds'] },
    { field: 'result', operator: '=', values: ['failed', 'error', 'not-measured'] },
  ]);
});
