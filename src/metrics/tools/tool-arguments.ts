import { z } from 'zod';
import type { Verdict } from '../../schema/verdict.ts';
import { assign } from '../matching/assign.ts';
import { unlessUnusable } from '../matching/expectation.ts';
import { defineMetric } from '../metric.ts';
import { comparisonOf } from './compile-rules.ts';
import type { ArgumentCount, ExpectedCall } from './expected-call.ts';
import { callSlots } from './grade-calls.ts';
import { callOptions, listExpected } from './graded-metric.ts';
import { type ActualCall, missingCalls, readCalls } from './read-calls.ts';
import { showCall, showDifferences } from './show-call.ts';

/**
 * Share of arguments that are right, over all calls of an expected tool, each paired with the expected call that it is most
 * like. An argument is wrong when it differs, is missing, or is there against the rule. Calls not made do not count.
 */
export const toolArguments = defineMetric({
  name: 'tool-arguments',
  family: 'tools',
  version: 1,
  reads: ['tools', 'calls'],
  summary: 'Share of the arguments of expected tool calls that are right.',
  options: () =>
    callOptions().extend({
      threshold: z.number().min(0).max(1).optional().describe('Least value for the verdict to pass.'),
    }),
  create: (options) => ({
    score: (input) =>
      unlessUnusable(() => {
        const expected = listExpected(input.case.expected, comparisonOf(options));
        if (expected === undefined) {
          return { status: 'not-applicable', reason: 'the case lists no calls to make' };
        }
        const unknown = missingCalls(input);
        if (unknown !== undefined) return unknown;
        return describeArguments(
          pairByArguments(expected, readCalls(input, options.ignoreTools)),
          options.threshold,
        );
      }),
  }),
});

interface ArgumentPair extends ArgumentCount {
  readonly expected: ExpectedCall;
  readonly call: ActualCall;
}

// A pair without a right argument is a pair all the same: its arguments are wrong.
const leastWeight = 1e-3;

function pairByArguments(expected: readonly ExpectedCall[], calls: readonly ActualCall[]): ArgumentPair[] {
  const slots = callSlots(expected, calls);
  const counts = slots.map((slot) =>
    calls.map((call) => (slot.call.isOf(call) ? slot.call.countArguments(call) : undefined)),
  );
  const weights = counts.map((row) =>
    row.map((count) => (count === undefined ? 0 : leastWeight + count.right / Math.max(count.total, 1))),
  );
  return assign(weights).flatMap((column, row): ArgumentPair[] => {
    const [slot, call, count] = [slots[row], calls[column ?? -1], counts[row]?.[column ?? -1]];
    if (slot === undefined || call === undefined || count === undefined) return [];
    return [{ expected: slot.call, call, ...count }];
  });
}

function describeArguments(pairs: readonly ArgumentPair[], threshold: number | undefined): Verdict {
  const right = pairs.reduce((sum, pair) => sum + pair.right, 0);
  const total = pairs.reduce((sum, pair) => sum + pair.total, 0);
  if (total === 0) {
    return { status: 'not-applicable', reason: 'no call of an expected tool has arguments to compare' };
  }
  const wrong = pairs.filter((pair) => pair.right < pair.total);
  return {
    status: 'scored',
    value: right / total,
    passed: threshold === undefined ? undefined : right / total >= threshold - 1e-9,
    explanation: [
      `${right} of ${total} arguments right`,
      ...wrong.map(({ expected, call }) => `${call.name}: ${showDifferences(expected.differences(call))}`),
    ].join('; '),
    evidence: {
      calls: pairs.map(({ expected, call, right: good, total: all }) => ({
        expected: expected.text,
        actual: showCall(call.name, call.arguments),
        right: good,
        total: all,
      })),
    },
  };
}
