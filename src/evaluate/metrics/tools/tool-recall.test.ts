import { expect, test } from 'vitest';
import type { Expected } from '../../../core/schema/expected.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { valueOf } from '../../../../test/support/score-answer.ts';
import { toolRecall } from './tool-recall.ts';

function score(expected: Expected, tools: string[], options: object = {}): Verdict {
  const metric = toolRecall.definition.create(toolRecall.definition.options.parse(options), {});
  return metric.score({ case: buildCase({ expected }), trial: buildTrial('x', { tools }) }) as Verdict;
}

test.each<[Expected, string[], number]>([
  [{ calls: ['a', 'b'] }, ['b', 'a', 'c'], 1],
  [{ calls: ['a', 'b'] }, ['a'], 0.5],
  [{ calls: ['a', 'b'] }, [], 0],
  [{ calls: ['a', 'a', 'b'] }, ['a', 'b'], 2 / 3],
  [{ calls: [{ name: 'a', times: 3 }] }, ['a'], 1 / 3],
  [{ calls: [{ name: 'a', times: { min: 1, max: 3 } }] }, ['a'], 1],
  [{ tools: ['a', 'b'] }, ['a', 'a'], 0.5],
])('expected %j, made %j → %d', (expected, made, value) => {
  expect(valueOf(score(expected, made))).toBeCloseTo(value, 12);
});

test('a call that matches two expected ones fills the required one', () => {
  expect(valueOf(score({ calls: [{ name: { $any: true }, times: { max: 1 } }, 'a'] }, ['a']))).toBe(1);
});

test('each other call subtracts the penalty, down to 0', () => {
  const expected = { calls: ['a', 'b'] };
  expect(valueOf(score(expected, ['a', 'b', 'c', 'd'], { extraPenalty: 0.1 }))).toBeCloseTo(0.8, 12);
  expect(valueOf(score(expected, ['a', 'c', 'd'], { extraPenalty: 0.3 }))).toBe(0);
});

test('is not applicable when no call is expected', () => {
  for (const calls of [[], { none: true as const }, [{ name: 'a', times: { max: 2 } }]]) {
    expect(score({ calls }, ['a'])).toEqual({ status: 'not-applicable', reason: 'no call is to be made' });
  }
});
