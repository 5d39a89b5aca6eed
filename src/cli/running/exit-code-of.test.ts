import { expect, test } from 'vitest';
import type { Decision } from '../../core/schema/decision.ts';
import { buildRun } from '../../library/testing/build-records.ts';
import { exitCodeOf } from './exit-code-of.ts';

const decided = (outcome: Decision['outcome']) =>
  buildRun({ summary: { targets: [], comparisons: [], decision: { outcome, reasons: [] } } });

test.each([
  ['pass', 0],
  ['fail', 1],
  ['not-measured', 2],
  ['inconclusive', 3],
] as const)('the decision %s is exit code %i', (outcome, code) => {
  expect(exitCodeOf(decided(outcome), false)).toBe(code);
});

test('an interrupted run is exit code 130, whatever the gate decided on its part', () => {
  expect(exitCodeOf(decided('pass'), true)).toBe(130);
});

test('a run without a summary is not measured', () => {
  expect(exitCodeOf(buildRun(), false)).toBe(2);
});
