import { expect, test } from 'vitest';
import { readOnlyRules } from '../config/resolve-metrics.ts';
import { findUnchecked, type RunMetric } from '../schema/run.ts';
import { describeUnread } from '../schema/run.ts';
import { buildCase } from '../testing/build-records.ts';
import { buildRun } from '../testing/build-records.ts';
import { createExpectationCounter, noticeExpectations } from './unread-expectations.ts';

const cases = [
  buildCase({ expected: { answer: 'Ben', checks: [{ use: 'exact-match' }] } }),
  buildCase({ expected: { answer: 'Ben', checks: [{ use: 'contains', value: 'Ben' }], passMark: 0.5 } }),
];

const metric = (reads: RunMetric['reads']): RunMetric => {
  return { name: 'm', use: { use: 'm' }, version: 1, fingerprint: '', reads };
};

test('an expectation counts as read in the cases whose own checks read it, if a metric makes these', () => {
  const counter = createExpectationCounter(readOnlyRules().readsOf);
  for (const each of cases) counter.add({ case: each });
  const counted = counter.finish();
  expect(counted).toEqual({
    expectations: [
      { expectation: 'answer', cases: 2, readByChecks: 1 },
      { expectation: 'checks', cases: 2 },
    ],
    passMarks: 1,
  });
  const dataset = { sources: [], cases: 2, hash: '', ...counted };
  const [unread, ...others] = findUnchecked({ dataset, metrics: [metric(['checks'])] });
  expect(others).toEqual([]);
  expect(unread && describeUnread(unread)).toBe('1 of 2 expected answers is read by no metric');
  expect(
    findUnchecked({ dataset, metrics: [metric(['answer'])] }).map(({ expectation, cases: many }) => [
      expectation,
      many,
    ]),
  ).toEqual([['checks', 2]]);
  expect(findUnchecked({ dataset, metrics: [] }).map(({ cases: many }) => many)).toEqual([2, 2]);
});
