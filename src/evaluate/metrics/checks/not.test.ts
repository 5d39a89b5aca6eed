import { expect, test } from 'vitest';
import { evaluate } from '../../../library/api/runs/evaluate.ts';
import { scriptedJudge } from '../../judges/scripted.ts';
import { testMetricContract } from '../../../library/testing/metric-contract.ts';
import { contains } from '../text/contains.ts';
import type { Metric } from '../metric.ts';
import { not } from './not.ts';

const containing: Metric = contains.definition.create(
  contains.definition.options.parse({ value: 'basis' }),
  {},
);
testMetricContract('not', () => not.definition.create({ metric: 'contains' }, { metric: () => containing }), {
  test,
  expect,
});

async function opposite(answer: string, metric: object, choices: object = {}, settings: object = {}) {
  const row = { question: 'What does it cost?', expected: { answer: 'It costs 49 dollars.' } };
  const use = { use: 'not', metric, ...choices };
  const { verdicts } = await evaluate(answer, row, { scorecard: null, metrics: [use], ...settings });
  return verdicts['not'];
}

test('the value is 1 minus that of the metric, and it passes where the metric does not', async () => {
  expect(await opposite('49', { use: 'contains', value: '49' })).toMatchObject({ value: 0, passed: false });
  expect(await opposite('50', { use: 'contains', value: '49' })).toMatchObject({ value: 1, passed: true });
  const close = { use: 'edit-similarity', threshold: 0.9 };
  expect(await opposite('It costs 50 dollars.', close)).toMatchObject({
    value: expect.closeTo(0.1),
    passed: false,
  });
  expect(await opposite('It costs 50 euros.', close)).toMatchObject({ passed: true });
});

test('a metric that says nothing about passing has an opposite that passes in full, or by a threshold', async () => {
  const graded = { use: 'edit-similarity' };
  expect(await opposite('It costs 50 dollars.', graded)).toMatchObject({
    value: expect.closeTo(0.1),
    passed: false,
  });
  expect(await opposite('It costs 50 dollars.', graded, { threshold: 0.1 })).toMatchObject({ passed: true });
});

test('a quantity has an opposite by its limit alone', async () => {
  expect(await opposite('12345', { use: 'answer-length', max: 4 })).toMatchObject({ value: 1, passed: true });
  expect(await opposite('12345', { use: 'answer-length' })).toMatchObject({
    status: 'failed',
    code: 'no-verdict',
  });
});

test('what was not measured or does not apply stays so', async () => {
  const judge = scriptedJudge({ rules: [{ fail: 'unreadable' }] });
  const judged = { use: 'rubric', text: 'It is polite.' };
  expect(await opposite('Hm.', judged, {}, { judge })).toMatchObject({
    status: 'failed',
    code: 'judge-unreadable',
  });
  expect(await opposite('Hm.', { use: 'keywords' })).toMatchObject({ status: 'not-applicable' });
});
