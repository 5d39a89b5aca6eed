import { expect, test } from 'vitest';
import type { Decision } from '../../schema/summary.ts';
import { buildRun } from '../../testing/build-records.ts';
import { exitCodeOf } from './gate-flags.ts';

const decided = (outcome: Decision['outcome']) =>
  buildRun({ summary: { targets: [], comparisons: [], decision: { outcome, reasons: [] } } });

test.each([
  ['pass', 0],
  ['fail', 1],
  ['not-measured', 2],
  ['inconclusive', 3],
] as const)('a gate that says %s is exit code %i', (outcome, code) => {
  expect(exitCodeOf(decided(outcome), false)).toBe(code);
});

test('a run that was interrupted is 130, whatever was decided of the part that was made', () => {
  expect(exitCodeOf(decided('pass'), true)).toBe(130);
});

test('a run without numbers is not measured', () => {
  expect(exitCodeOf(buildRun(), false)).toBe(2);
});
