import { expect, test } from 'vitest';
import type { Expected } from '../../../core/schema/expected.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { Trial } from '../../../core/schema/trial.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { valueOf } from '../../../../test/support/score-answer.ts';
import { toolCallAccuracy } from './tool-call-accuracy.ts';

type Call = [name: string, given: { [name: string]: Json }];

const toCalls = (calls: readonly Call[]) => calls.map(([name, given]) => ({ name, arguments: given }));

function score(made: Call[], expected: Expected, options: object = {}, parts: Partial<Trial> = {}): Verdict {
  const { definition } = toolCallAccuracy;
  const metric = definition.create(definition.options.parse(options), {});
  const trial = buildTrial('x', { tools: toCalls(made), ...parts });
  return metric.score({ case: buildCase({ expected }), trial }) as Verdict;
}

const lease: Call = ['search', { q: 'lease' }];
const book = (time: string): Call => ['book', { day: 3, time }];
const f = (a: number): Call => ['f', { a }];

// ragas 0.4.3: ToolCallAccuracy(strict_order=…).multi_turn_ascore(MultiTurnSample(user_input=[HumanMessage("q"),
// AIMessage("a", tool_calls=made)], reference_tool_calls=wanted)), with strict_order True, then False.
test.each<[made: Call[], wanted: Call[], strict: number, any: number]>([
  [[lease, book('10:00')], [lease, book('10:00')], 1, 1],
  [[lease, book('11:00')], [lease, book('10:00')], 0.75, 0.75],
  [[book('10:00'), lease], [lease, book('10:00')], 0, 1],
  [[lease], [lease, book('10:00')], 0, 0],
  [[lease, book('10:00')], [lease], 0, 0],
  [[['search', { q: 'lease', limit: 5 }]], [lease], 1, 1],
  [[['search', {}]], [lease], 0, 0],
  [[['list', { all: true }]], [['list', {}]], 0, 0],
  [[['list', {}]], [['list', {}]], 1, 1],
  [[], [['list', {}]], 0, 0],
])('%j for %j is %d in order and %d in any order', (made, wanted, strict, any) => {
  const expected = { calls: toCalls(wanted) };
  expect(valueOf(score(made, expected))).toBeCloseTo(strict, 12);
  expect(valueOf(score(made, expected, { order: 'any' }))).toBeCloseTo(any, 12);
});

test('calls of one tool in any order are paired in the best way, where ragas gives 0', () => {
  const expected = { calls: toCalls([f(2), f(3)]) };
  expect(score([f(1), f(2)], expected, { order: 'any' })).toMatchObject({ value: 0.5 });
  expect(score([f(3), f(2)], expected)).toMatchObject({ value: 0, evidence: { isAligned: true } });
});

test('says which calls were expected, or which arguments are wrong', () => {
  expect(score([lease], { calls: toCalls([book('10:00')]) })).toMatchObject({
    explanation: 'expected book(day: 3, time: "10:00"); called search',
    evidence: { isAligned: false },
  });
  expect(score([book('11:00')], { calls: toCalls([book('10:00')]) }, { threshold: 0.6 })).toMatchObject({
    value: 0.5,
    passed: false,
    explanation: 'book: time was "11:00" instead of "10:00"',
  });
});

test('matchers, other comparisons and names alone can be expected, too', () => {
  const expected = { calls: [{ name: 'book', arguments: { day: { $near: 2, $tolerance: 1 } } }] };
  expect(score([book('10:00')], expected)).toMatchObject({ value: 1 });
  expect(score([book('10:00')], expected, { match: 'exact' })).toMatchObject({ value: 0.5 });
  expect(score([lease, book('10:00')], { tools: ['search', 'book'] })).toMatchObject({ value: 1 });
  expect(score([lease, lease], { calls: [{ name: 'search', times: 2 }] })).toMatchObject({ value: 1 });
});

test('is not applicable without expected calls, and not measured without recorded ones', () => {
  expect(score([lease], {})).toMatchObject({ status: 'not-applicable' });
  expect(score([], { calls: [] })).toMatchObject({ status: 'not-applicable' });
  expect(score([], { calls: ['search'] }, {}, { toolsUnknown: true })).toMatchObject({
    status: 'failed',
    code: 'tools-not-recorded',
  });
});
