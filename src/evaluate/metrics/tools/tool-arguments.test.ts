import { expect, test } from 'vitest';
import type { Expected } from '../../../core/schema/expected.ts';
import type { ToolCall } from '../../../core/schema/message.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { valueOf } from '../../../../test/support/score-answer.ts';
import { toolArguments } from './tool-arguments.ts';

function score(
  calls: Expected['calls'],
  tools: readonly (string | ToolCall)[],
  options: object = {},
): Verdict {
  const metric = toolArguments.definition.create(toolArguments.definition.options.parse(options), {});
  const trial = buildTrial('x', { tools });
  return metric.score({ case: buildCase({ expected: { calls } }), trial }) as Verdict;
}

const a = (given: ToolCall['arguments']) => ({ name: 'a', arguments: given });

test.each<[Expected['calls'], (string | ToolCall)[], number]>([
  [[a({ x: 1, y: 2 })], [a({ x: 1, y: 2 })], 1],
  [[a({ x: 1, y: 2 })], [a({ x: 1, y: 3 })], 1 / 2],
  [[a({ x: 1, y: 2 })], [a({ x: 1 })], 1 / 2],
  [[a({ x: 1 })], [a({ x: 1, y: 2 })], 1 / 2],
  [[a({ x: 1 })], [a({ z: 1 })], 0],
  [[a({ x: 1 })], ['a'], 0],
  [[a({ x: 1 })], [a('not an object')], 0],
  [[a({ x: { y: 1, z: 2 }, w: 3 })], [a({ x: { y: 1, z: 0 }, w: 3 })], 1 / 2],
  [[a({ 'x.y': 1, x: 2, 'a b': 3 })], [a({ 'x.y': 0, x: 2, 'a b': 0 })], 1 / 3],
  [[a({ x: 1, xy: 2 })], [a({ x: 1, xy: 0 })], 1 / 2],
  [[a({ x: 1, y: { $oneOf: [2, { $absent: true }] } })], [a({ x: 1 })], 1],
  [[{ ...a({ x: 1 }), match: 'superset' }], [a({ x: 1, y: 2 })], 1],
  [[{ ...a({ x: 1, y: 2 }), match: 'subset' }], [a({ x: 1 })], 1],
  [[{ ...a({ x: 1, y: 2 }), ignore: ['y', 'z'] }], [a({ x: 1, y: 0, z: 0 })], 1],
  [[a({ $schema: { required: ['x'] } })], [a({ x: 1 })], 1],
  [[a({ $schema: { required: ['x'] } })], [a({ y: 1, z: 1 })], 0],
  // Calls are paired with the expected calls that they resemble most; the call that was not made does not count.
  [[a({ x: 1, y: 1 }), a({ x: 2, y: 2 }), 'b'], [a({ x: 2, y: 2 }), a({ x: 1, y: 0 })], 3 / 4],
  [[a({ x: 1 }), a({ x: 2 })], [a({ x: 2 })], 1],
])('expected %j, made %j → %d', (calls, made, value) => {
  expect(valueOf(score(calls, made))).toBeCloseTo(value, 12);
});

test.each<[Expected['calls'], string[]]>([
  [[a({ x: 1 })], ['b']],
  [['a'], ['a']],
  [[a({})], ['a']],
  [[], ['a']],
  [{ mustNot: ['a'] }, ['a']],
])('expected %j, made %j: is not applicable without arguments to compare', (calls, made) => {
  expect(score(calls, made)).toMatchObject({ status: 'not-applicable' });
});

test('the verdict names the wrong arguments', () => {
  expect(score([a({ x: 1, y: 2 })], [a({ x: 1, y: 3 })], { threshold: 0.5 })).toMatchObject({
    passed: true,
    explanation: '1 of 2 arguments right; a: y was 3 instead of 2',
    evidence: { calls: [{ expected: 'a(x: 1, y: 2)', actual: 'a(x: 1, y: 3)', right: 1, total: 2 }] },
  });
});
