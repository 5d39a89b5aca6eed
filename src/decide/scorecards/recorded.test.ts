import { expect, test } from 'vitest';
import type { Verdict } from '../../core/schema/verdict.ts';
import { recorded } from './recorded.ts';

const { definition } = recorded;
const metric = { use: 'recorded-verdict', name: 'promptfoo', of: 'promptfoo' };
const scorecard = definition.create(definition.options.parse({ metric }), {});
const evaluate = (verdict?: Verdict) =>
  scorecard.evaluate(new Map(verdict === undefined ? [] : [['promptfoo', verdict]]));

test('total and pass are those of the verdict, whatever they are', () => {
  expect(evaluate({ status: 'scored', value: 0.95, passed: false, explanation: 'BLEU' })).toEqual({
    total: 0.95,
    lower: 0.95,
    upper: 0.95,
    grade: null,
    passed: false,
    explanation: 'BLEU',
  });
  expect(evaluate({ status: 'scored', value: 0.1, passed: true })).toMatchObject({
    total: 0.1,
    passed: true,
  });
  expect(evaluate({ status: 'scored', value: 0.1 })).toMatchObject({ passed: null });
});

test.each([
  [undefined, 'not measured'],
  [{ status: 'failed', code: 'judge-unreadable', reason: 'no JSON' }, 'no JSON'],
  [{ status: 'not-applicable', reason: 'nothing was asserted' }, 'nothing was asserted'],
  [{ status: 'scored', value: 3, unit: 'score' }, 'not a share'],
] as const)('%j has no total', (verdict, explanation) => {
  expect(evaluate(verdict)).toEqual({
    total: null,
    lower: 0,
    upper: 1,
    grade: null,
    passed: null,
    explanation,
  });
});
