import { expect, test } from 'vitest';
import { mergeOutcomes } from '../../core/trials/merge-outcomes.ts';
import { exemptionOf, passCount } from './case-outcome.ts';

const run = { createdAt: '2026-12-31T23:59:59.000Z' };

test.each([
  [undefined, undefined],
  ['gate', undefined],
  ['watch', 'only watched'],
  ['quarantine until 2026-12-31', 'in quarantine until 2026-12-31'],
  ['quarantine until 2026-12-30', undefined],
])('on the last day of 2026, a case marked %s is reported as %s', (gate, said) => {
  expect(exemptionOf(run, { gate })).toBe(said);
});

const rule = { passes: 4, isCurtailed: true };

test('without a rule, one attempt that did not pass makes the case fail', () => {
  expect(mergeOutcomes(['passed', 'failed', 'error'], 3)).toBe('failed');
  expect(mergeOutcomes(['passed', 'passed'], 3)).toBe('not-measured');
  expect(passCount(['passed', 'failed'], 3)).toBe('1 of 3 attempts passed');
});

test('with a rule, enough attempts must pass, and those not needed are not missing', () => {
  expect(mergeOutcomes(['passed', 'passed', 'failed', 'passed', 'passed'], 5, rule)).toBe('passed');
  expect(mergeOutcomes(['passed', 'passed', 'passed', 'passed'], 5, rule)).toBe('passed');
  expect(mergeOutcomes(['failed', 'passed', 'failed'], 5, rule)).toBe('failed');
  expect(passCount(['failed', 'passed', 'failed'], 5, rule)).toBe('1 of 3 attempts passed, 4 of 5 have to');
});

test('with a rule, an undecided case has the outcome of its unmeasured attempt', () => {
  expect(mergeOutcomes(['passed', 'passed', 'passed', 'error', 'failed'], 5, rule)).toBe('error');
  expect(mergeOutcomes(['passed', 'passed'], 5, rule)).toBe('not-measured');
});
