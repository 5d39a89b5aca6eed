import type { Verdict } from '../../../core/schema/verdict.ts';
import { assign } from '../matching/assign.ts';
import { failIfUnusable } from '../matching/expectation.ts';
import { defineMetric } from '../metric.ts';
import { comparisonOf } from './compile-rules.ts';
import type { ArgumentCount, ExpectedCall } from './expected-call.ts';
import { callSlots } from './grade-calls.ts';
import { callOptions, listExpected } from './graded-metric.ts';
import { type ActualCall, missingCalls, readCalls } from './read-calls.ts';
import { formatCall, formatDifferences } from './format-call.ts';
import { notApplicable, reaches, thresholdOption } from '../verdicts.ts';

/**
 * Computes the share of right arguments over all calls of an expected tool, from 0 to 1. Each call is paired with the
 * expected call that it resembles most. An argument is wrong when it differs, is missing, or is given although the mode
 * forbids it; calls that were not made do not count. Not applicable when the case lists no calls, or no call has
 * arguments to compare.
 */
export const toolArguments = defineMetric({
  name: 'tool-arguments',
  family: 'tools',
  version: 2,
  reads: ['tools', 'calls'],
  summary: 'Share of the arguments of expected tool calls that are right.',
  words: 'parameters, function arguments, right arguments, argument accuracy, function calling, agent',
  options: () =>
    callOptions().extend({
      threshold: thresholdOption(),
    }),
  create: (options) => ({
    score: (input) =>
      failIfUnusable(() => {
        const expected = listExpected(input.case.expected, comparisonOf(options));
        if (expected === undefined) return notApplicable('the question lists no calls to make');
        const unknown = expected.length === 0 ? undefined : missingCalls(input);
        if (unknown !== undefined) return unknown;
        return describeArguments(pairByArguments(expected, readCalls(input, options)), options.threshold);
      }),
  }),
});

interface ArgumentPair extends ArgumentCount {
  readonly expected: ExpectedCall;
  readonly call: ActualCall;
}

// A pair without any right argument is still a pair, with wrong arguments.
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
  if (total === 0) return notApplicable('no call of an expected tool has arguments to compare');
  const wrong = pairs.filter((pair) => pair.right < pair.total);
  return {
    status: 'scored',
    value: right / total,
    passed: reaches(right / total, threshold),
    explanation: [
      `${right} of ${total} arguments right`,
      ...wrong.map(({ expected, call }) => `${call.name}: ${formatDifferences(expected.differences(call))}`),
    ].join('; '),
    evidence: {
      calls: pairs.map(({ expected, call, right: good, total: all }) => ({
        expected: expected.text,
        actual: formatCall(call.name, call.arguments),
        right: good,
        total: all,
      })),
    },
  };
}
