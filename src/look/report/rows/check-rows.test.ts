import { expect, test } from 'vitest';
import type { CheckResult } from '../../../core/schema/checks/check-result.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { listChecks } from './check-rows.ts';

const plain: CheckResult = {
  name: 'contains',
  use: 'contains',
  weight: 1,
  status: 'measured',
  value: 1,
  passed: true,
};

test('checks are listed in their order, each group before what is in it', () => {
  const group: CheckResult = {
    ...plain,
    name: 'Either',
    use: 'all',
    weight: 3,
    required: true,
    threshold: 0.5,
    value: 0.25,
    passed: false,
    checks: [
      { ...plain, status: 'not-measured', value: null, passed: null, weight: 0, explanation: 'why' },
      { ...plain, use: 'latency', name: 'Speed', quantity: { value: 320, unit: 'ms' } },
    ],
  };
  const verdict: Verdict = {
    status: 'failed',
    code: 'judge-x',
    reason: '',
    evidence: { checks: [plain, group] as never },
  };
  expect(listChecks(verdict)).toMatchObject([
    { depth: 0, key: '0', name: 'contains', use: undefined, outcome: 'passed', value: '100.0 %', traits: '' },
    {
      depth: 0,
      key: '1',
      name: 'Either',
      use: 'all',
      outcome: 'failed',
      value: '25.0 %',
      traits: '× 3, required, from 50.0 %',
    },
    {
      depth: 1,
      key: '1.0',
      outcome: 'not-measured',
      value: 'not measured',
      traits: 'does not count',
      explanation: 'why',
    },
    { depth: 1, key: '1.1', name: 'Speed', value: '320 ms', outcome: 'passed' },
  ]);
});

test('other verdicts have no checks', () => {
  expect(listChecks({ status: 'scored', value: 1, evidence: { checks: ['x'] } })).toEqual([]);
  expect(listChecks({ status: 'not-applicable', reason: '' })).toEqual([]);
  expect(listChecks(undefined)).toEqual([]);
});
