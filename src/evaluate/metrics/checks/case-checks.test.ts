import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { evaluate } from '../../../library/api/runs/evaluate.ts';
import { readCheckResults } from '../../../core/schema/checks/check-result.ts';
import type { ExpectedCheck } from '../../../core/schema/checks/expected-checks.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { scriptedJudge } from '../../judges/scripted.ts';
import { testMetricContract } from '../../../library/testing/metric-contract.ts';
import { caseChecks } from './case-checks.ts';

testMetricContract('case-checks', () => caseChecks.definition.create({}, {}), { test, expect });

interface Choices {
  readonly passMark?: number;
  readonly expected?: object;
  /** The reply of the judge; `broken` for a judge that never answers. */
  readonly judge?: Parameters<typeof scriptedJudge>[0];
  readonly check?: string;
}

/** Scores an answer by the checks of its case. */
async function scoreBy(
  answer: string,
  checks: readonly ExpectedCheck[],
  { passMark, expected = {}, judge, check }: Choices = {},
): Promise<Verdict> {
  const expectations = { ...expected, checks, ...(passMark !== undefined && { passMark }) };
  const row = { question: 'What does the lamp cost?', expected: expectations };
  const metric = { use: 'case-checks', ...(check !== undefined && { check }) };
  const { verdicts } = await evaluate(answer, row, {
    scorecard: null,
    metrics: [metric],
    ...(judge !== undefined && { judge: scriptedJudge(judge) }),
  });
  return verdicts['case-checks'] as Verdict;
}

const answer = 'The lamp costs 49 dollars.';
const yes = { use: 'contains', value: '49' };
const no = { use: 'contains', value: 'euro' };

test('the value is the weighted mean of the checks, and all must pass', async () => {
  expect(await scoreBy(answer, [yes, { ...yes, weight: 3 }])).toMatchObject({ value: 1, passed: true });
  expect(await scoreBy(answer, [{ ...yes, weight: 3 }, no])).toMatchObject({
    value: 0.75,
    passed: false,
    explanation: '1 of 2 checks failed: contains (not found: euro)',
  });
});

test('with a pass mark the mean decides, unless a required check fails', async () => {
  const mixed = [{ ...yes, weight: 3 }, no];
  expect(await scoreBy(answer, mixed, { passMark: 0.75 })).toMatchObject({ value: 0.75, passed: true });
  expect(await scoreBy(answer, mixed, { passMark: 0.76 })).toMatchObject({ value: 0.75, passed: false });
  const required = [
    { ...yes, weight: 3 },
    { ...no, required: true },
  ];
  expect(await scoreBy(answer, required, { passMark: 0.5 })).toMatchObject({ value: 0.75, passed: false });
});

test('a check of weight 0 is shown and does not count', async () => {
  const verdict = await scoreBy(answer, [yes, { ...no, weight: 0 }]);
  expect(verdict).toMatchObject({ value: 1, passed: true });
  expect(resultsOf(verdict).map(({ passed, weight }) => [passed, weight])).toEqual([
    [true, 1],
    [false, 0],
  ]);
  expect(await scoreBy(answer, [{ ...no, weight: 0 }])).toMatchObject({ status: 'not-applicable' });
});

test('a group is one check, with a threshold of its own', async () => {
  const set = (threshold?: number): ExpectedCheck => ({
    all: [yes, no],
    ...(threshold !== undefined && { threshold }),
  });
  expect(await scoreBy(answer, [yes, set()])).toMatchObject({ value: 0.75, passed: false });
  expect(await scoreBy(answer, [yes, set(0.5)])).toMatchObject({ value: 0.75, passed: true });
  expect(await scoreBy(answer, [yes, { any: [yes, no] }])).toMatchObject({ value: 1, passed: true });
  expect(await scoreBy(answer, [{ any: [no, no] }])).toMatchObject({ value: 0, passed: false });
  expect(await scoreBy(answer, [{ all: [{ all: [yes, no], threshold: 0.5 }, { not: no }] }])).toMatchObject({
    value: 0.75,
    passed: true,
  });
});

test('the opposite of a check is 1 minus its value, and passes where the check does not', async () => {
  expect(await scoreBy(answer, [{ not: no }])).toMatchObject({ value: 1, passed: true });
  expect(await scoreBy(answer, [{ not: yes }])).toMatchObject({ value: 0, passed: false });
  const close = { use: 'edit-similarity', threshold: 0.9 };
  const far = await scoreBy('The lamp costs 50 dollars.', [{ not: close }], { expected: { answer } });
  expect(far).toMatchObject({ passed: false });
  expect((far as { value: number }).value).toBeCloseTo(2 / 26, 9);
  const graded = { use: 'edit-similarity' };
  expect(
    await scoreBy('The lamp costs 50 dollars.', [{ not: graded }], { expected: { answer } }),
  ).toMatchObject({ passed: false });
  expect(await scoreBy(answer, [{ not: { not: graded } }], { expected: { answer } })).toMatchObject({
    value: 1,
    passed: true,
  });
  expect(
    await scoreBy('The lamp costs 50 dollars.', [{ not: { not: graded } }], { expected: { answer } }),
  ).toMatchObject({ passed: false });
});

test('a threshold of the check decides where the metric has none', async () => {
  const quality = { use: 'response-quality' };
  const expected = { keywords: ['lamp', 'euro'] };
  expect(await scoreBy(answer, [quality], { expected })).toMatchObject({ value: 0.5, passed: false });
  const passing = { ...quality, threshold: 0.5 };
  expect(await scoreBy(answer, [passing], { expected })).toMatchObject({ value: 0.5, passed: true });
});

const judged = { use: 'rubric', text: 'It is polite.', threshold: 0.5 };
const broken = { rules: [{ fail: 'unreadable' }] };

test('what was not measured leaves the whole not measured, and is never a pass, a fail or a 0', async () => {
  expect(await scoreBy(answer, [yes, judged], { judge: broken })).toMatchObject({
    status: 'failed',
    code: 'judge-unreadable',
    reason: expect.stringMatching(/^1 of 2 checks could not be measured: rubric \(judge-unreadable: .*\)$/),
  });
  const failing = await scoreBy(answer, [no, judged], { judge: broken });
  expect(failing).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('does not pass, whatever'),
  });
  expect(resultsOf(failing).map(({ status, value, passed }) => [status, value, passed])).toEqual([
    ['measured', 0, false],
    ['not-measured', null, null],
  ]);
  expect(await scoreBy(answer, [{ not: judged }], { judge: broken })).toMatchObject({ status: 'failed' });
});

test('what was not measured does not matter where it could change nothing', async () => {
  const informative = { ...judged, weight: 0 };
  expect(await scoreBy(answer, [yes, informative], { judge: broken })).toMatchObject({
    value: 1,
    passed: true,
  });
  expect(await scoreBy(answer, [{ any: [yes, judged] }], { judge: broken })).toMatchObject({
    value: 1,
    passed: true,
  });
  expect(await scoreBy(answer, [{ any: [no, judged] }], { judge: broken })).toMatchObject({
    status: 'failed',
  });
});

test('a check that does not apply is left out', async () => {
  expect(await scoreBy(answer, [yes, { use: 'exact-match' }])).toMatchObject({ value: 1, passed: true });
  expect(await scoreBy(answer, [{ use: 'exact-match' }])).toMatchObject({ status: 'not-applicable' });
});

test('a quantity counts by its limit, and is not measured without one', async () => {
  const short = { use: 'answer-length', max: 100 };
  expect(await scoreBy(answer, [short])).toMatchObject({ value: 1, passed: true });
  expect(await scoreBy(answer, [{ use: 'answer-length' }])).toMatchObject({
    status: 'failed',
    code: 'no-verdict',
  });
});

test('the checks of a name are a criterion by themselves, wherever they are', async () => {
  const checks = [{ ...yes, name: 'price', weight: 2 }, { all: [no, { ...no, name: 'price' }] }];
  expect(await scoreBy(answer, checks, { check: 'price' })).toMatchObject({ value: 2 / 3, passed: false });
  expect(await scoreBy(answer, checks, { check: 'tone' })).toMatchObject({ status: 'not-applicable' });
  expect(await scoreBy(answer, [{ ...yes, name: 'price', weight: 0 }], { check: 'price' })).toMatchObject({
    value: 1,
  });
});

function resultsOf(verdict: Verdict) {
  return readCheckResults('evidence' in verdict ? verdict.evidence : undefined);
}

test('the case of docs/expectations.md gets the verdict that the page describes', async () => {
  const page = readFileSync(new URL('../../../../docs/expectations.md', import.meta.url), 'utf8');
  const [, row = ''] = /```json\n(.*)\n```/.exec(page) ?? [];
  const score = async (said: string) =>
    (await evaluate(said, JSON.parse(row) as object, { scorecard: null, metrics: ['case-checks'] })).verdicts[
      'case-checks'
    ];
  expect(await score('Yes, to Norway, in 3 days.')).toMatchObject({ value: 1, passed: true });
  expect(await score('Norway? As an AI model I cannot say.')).toMatchObject({ value: 0.625, passed: true });
  expect(await score('No.')).toMatchObject({ value: 0.375, passed: false });
});
