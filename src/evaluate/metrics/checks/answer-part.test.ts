import { expect, test } from 'vitest';
import { evaluate } from '../../../library/api/runs/evaluate.ts';
import { testMetricContract } from '../../../library/testing/metric-contract.ts';
import { contains } from '../text/contains.ts';
import { answerPart } from './answer-part.ts';

const lamp = contains.definition.create(contains.definition.options.parse({ value: 'lamp' }), {});

testMetricContract(
  'answer-part',
  () => answerPart.definition.create({ steps: ['trim'], metric: 'contains' }, { metric: () => lamp }),
  { test, expect },
);

async function score(answer: string, ...steps: unknown[]) {
  const metric = { use: 'contains', value: 'lamp', ignoreCase: false };
  const use = { use: 'answer-part', steps, metric };
  const row = { question: 'Which?' };
  const { verdicts } = await evaluate(answer, row, { scorecard: null, metrics: [use] });
  return verdicts['answer-part'];
}

test('the metric sees the part of the answer that the steps lead to', async () => {
  expect(await score(' LAMP\n', 'lower-case')).toMatchObject({ value: 1 });
  expect(await score(' LAMP\n', 'trim')).toMatchObject({ value: 0 });
  expect(await score('{"items": [{"name": "lamp"}], "note": "no"}', { path: 'items[0].name' })).toMatchObject(
    {
      value: 1,
    },
  );
  expect(await score('{"items": [{"name": "lamp"}], "note": "no"}', { path: 'note' })).toMatchObject({
    value: 0,
  });
  expect(await score('lamp: 49, chair: 12', { split: ',', at: -1 })).toMatchObject({ value: 0 });
  expect(await score('lamp: 49, chair: 12', { split: ',', at: 0 })).toMatchObject({ value: 1 });
});

test('an answer without the part does not pass, and says which part', async () => {
  const missing = { status: 'scored', value: 0, passed: false };
  expect(await score('no JSON: lamp', { path: 'lamp' })).toMatchObject({
    ...missing,
    explanation: 'the answer has no such part: path lamp',
  });
  expect(await score('{"a": null}', { path: 'a' })).toMatchObject(missing);
  expect(await score('{"a": "lamp"}', { path: '__proto__' })).toMatchObject(missing);
  expect(await score('lamp', { split: ',', at: 1 })).toMatchObject(missing);
});
