import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Expected } from '../../../core/schema/expected.ts';
import type { ToolCall } from '../../../core/schema/message.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { valueOf } from '../../../../test/support/score-answer.ts';
import { toolF1 } from './tool-f1.ts';

function score(expected: Expected, tools: readonly (string | ToolCall)[], options: object = {}): Verdict {
  const metric = toolF1.definition.create(toolF1.definition.options.parse(options), {});
  return metric.score({ case: buildCase({ expected }), trial: buildTrial('x', { tools }) }) as Verdict;
}

test.each<[Expected, string[], number]>([
  [{ calls: ['a', 'b'] }, ['b', 'a'], 1],
  [{ calls: ['a', 'b', 'c'] }, ['a', 'b', 'd'], 2 / 3],
  [{ calls: ['a'] }, ['a', 'b', 'c'], 0.5],
  [{ calls: ['a'] }, ['b'], 0],
  [{ calls: ['a'] }, [], 0],
  [{ calls: [] }, ['a'], 0],
])('expected %j, made %j → %d', (expected, made, value) => {
  expect(valueOf(score(expected, made))).toBeCloseTo(value, 12);
});

test('is not applicable when nothing was expected and nothing was called', () => {
  expect(score({ calls: { none: true } }, [])).toMatchObject({ status: 'not-applicable' });
});

test('pairs calls for the best sum, not one after the other', () => {
  const call = (x: number, y: number) => ({ name: 'a', arguments: { x, y } });
  // The first expected call resembles the second actual one most, which is exactly what the second one expects.
  const verdict = score({ calls: [call(1, 1), call(1, 2)] }, [call(0, 1), call(1, 2)], {
    partialCredit: 'arguments',
  });
  expect(valueOf(verdict)).toBeCloseTo(0.75, 12);
});

type Arguments = Readonly<Record<string, number>>;

const given = fc.record({ x: fc.nat({ max: 1 }), y: fc.nat({ max: 1 }), z: fc.nat({ max: 1 }) });
const call = fc.record({ name: fc.constantFrom('a', 'b'), arguments: given });
const calls = fc.array(call, { minLength: 1, maxLength: 4 });

/** Returns the share of equal arguments of two calls of one tool. */
function creditOf(first: { name: string; arguments: Arguments }, second: typeof first): number {
  const same = Object.keys(first.arguments).filter((key) => first.arguments[key] === second.arguments[key]);
  return first.name === second.name ? same.length / 3 : 0;
}

/** Returns the largest sum of credits over all ways to pair calls. */
function bestSum(expected: readonly Call[], made: readonly Call[]): number {
  const [first, ...rest] = expected;
  if (first === undefined) return 0;
  const sums = made.map((other, index) => creditOf(first, other) + bestSum(rest, made.toSpliced(index, 1)));
  return Math.max(bestSum(rest, made), ...sums);
}

type Call = Parameters<typeof creditOf>[0];

test('the sum of the credits is the largest of any pairing', () => {
  fc.assert(
    fc.property(calls, calls, (expected, made) => {
      const f1 = (2 * bestSum(expected, made)) / (expected.length + made.length);
      const verdict = score({ calls: [...expected] }, made, { partialCredit: 'arguments' });
      expect(valueOf(verdict)).toBeCloseTo(f1, 9);
    }),
    { numRuns: 300 },
  );
});
