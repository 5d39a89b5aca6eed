import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CallMode, ExpectItem } from '../../../core/schema/expected-calls.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { ToolCall } from '../../../core/schema/message.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { toolCalls } from './tool-calls.ts';

type Times = number | { min?: number; max?: number };

const metric = toolCalls.definition.create({ ignoreTools: [] }, {});

function holds(mode: CallMode, items: readonly ExpectItem[], tools: readonly ToolCall[]): boolean {
  const expected = { calls: { mode, expect: [...items] } };
  const verdict = metric.score({
    case: buildCase({ expected }),
    trial: buildTrial('x', { tools }),
  }) as Verdict;
  return verdict.status === 'scored' && verdict.value === 1;
}

const name = fc.constantFrom('a', 'b');
const value = fc.constantFrom(1, 2);
const call = fc.record({ name, arguments: fc.record({ x: value }) });
const calls = fc.array(call, { maxLength: 4 });
const times = fc.constantFrom<Times>(0, 1, 2, { min: 1 }, { max: 2 }, { min: 0, max: 1 }, { min: 1, max: 3 });
const item: fc.Arbitrary<ExpectItem> = fc.oneof(
  name,
  call,
  fc.record({ name, arguments: fc.record({ x: fc.constant<Json>({ $oneOf: [1, 2] }) }) }),
  fc.record({ name, times }),
  fc.record({ name, arguments: fc.record({ x: value }), times }),
);
const items = fc.array(item, { maxLength: 4 });

const implications: readonly (readonly [CallMode, CallMode])[] = [
  ['strict', 'in-order'],
  ['strict', 'unordered'],
  ['in-order', 'superset'],
  ['unordered', 'subset'],
  ['unordered', 'superset'],
];

test.each(implications)('what is right in the mode %s is right in the mode %s', (stronger, weaker) => {
  fc.assert(
    fc.property(items, calls, (expected, made) => {
      fc.pre(holds(stronger, expected, made));
      expect(holds(weaker, expected, made)).toBe(true);
    }),
    { numRuns: 200, maxSkipsPerRun: 1_000 },
  );
});

test('unordered equals subset and superset together', () => {
  fc.assert(
    fc.property(items, calls, (expected, made) => {
      const both = holds('subset', expected, made) && holds('superset', expected, made);
      expect(holds('unordered', expected, made)).toBe(both);
    }),
    { numRuns: 500 },
  );
});

test('in modes without an order, no order of either side changes the verdict', () => {
  const shuffled = fc.tuple(items, calls).chain(([expected, made]) =>
    fc.record({
      expected: fc.constant(expected),
      made: fc.constant(made),
      otherExpected: fc.shuffledSubarray(expected, { minLength: expected.length }),
      otherMade: fc.shuffledSubarray(made, { minLength: made.length }),
    }),
  );
  fc.assert(
    fc.property(shuffled, ({ expected, made, otherExpected, otherMade }) => {
      for (const mode of ['unordered', 'subset', 'superset'] as const) {
        expect(holds(mode, otherExpected, otherMade)).toBe(holds(mode, expected, made));
      }
    }),
    { numRuns: 300 },
  );
});
