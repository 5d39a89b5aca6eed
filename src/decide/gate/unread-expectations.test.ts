import { expect, test } from 'vitest';
import { readOnlyRules } from '../../library/config/resolve-metrics.ts';
import { findUnchecked, type Run, type RunMetric } from '../../core/schema/run.ts';
import { describeUnread } from '../../core/schema/run.ts';
import { buildCase } from '../../library/testing/build-records.ts';
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

test('a notice counts one case in the singular and more in the plural', () => {
  const noticesOf = (count: number) => {
    const dataset = {
      sources: [],
      cases: 3,
      hash: '',
      expectations: [],
      withoutExpectations: count,
      nothingNeeded: count,
      passMarks: count,
      unreadColumns: ['a', 'b'].slice(0, count).map((column) => ({ column, cases: count })),
    };
    const scored = { dataset, metrics: [], scorecard: { use: {}, criteria: [] } };
    const unscored = { dataset, metrics: [], scorecard: null };
    return [scored, unscored].flatMap((run) => noticeExpectations(run as unknown as Run));
  };
  const one = noticesOf(1);
  expect(one).toContain('1 of 3 questions expects nothing that can be checked: it gets no score.');
  expect(one).toContainEqual(expect.stringMatching(/^1 of 3 questions lists nothing to check: /));
  expect(one).toContainEqual(expect.stringMatching(/^1 of 3 questions has a pass mark, /));
  expect(one).toContainEqual(
    expect.stringMatching(
      /^the column "a" of 1 question is read by no metric, so what it expects is not measured\. /,
    ),
  );
  const two = noticesOf(2);
  expect(two).toContain('2 of 3 questions expect nothing that can be checked: they get no score.');
  expect(two).toContainEqual(expect.stringMatching(/^2 of 3 questions list nothing to check: /));
  expect(two).toContainEqual(expect.stringMatching(/^2 of 3 questions have a pass mark, /));
  expect(two).toContainEqual(expect.stringMatching(/, so what they expect is not measured\. /));
  expect(noticesOf(0)).toEqual([]);
});

test('questions that expect nothing are named only where the scorecard gives them no points, with the metrics that they have', () => {
  const dataset = { sources: [], cases: 2, hash: '', expectations: [], withoutExpectations: 2 };
  const tone = { ...metric(undefined), name: 'tone', judge: { name: 'j', fingerprint: '' } };
  const errors = { ...metric(undefined), name: 'errors' };
  const noticesOf = (...criteria: { metric: string; required: boolean }[]) =>
    noticeExpectations({
      dataset,
      metrics: [tone, errors],
      scorecard: { use: {}, criteria },
    } as unknown as Run);
  expect(noticesOf({ metric: 'tone', required: true })).toEqual([]);
  expect(noticesOf({ metric: 'errors', required: true })).toEqual([
    '2 of 2 questions expect nothing that can be checked: they get no score, only the values of tone. `scorecard: null` in the config shows these alone.',
  ]);
});
