import { z } from 'zod';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { assign } from '../matching/assign.ts';
import { failIfUnusable } from '../matching/expectation.ts';
import { defineMetric } from '../metric.ts';
import { verdictOf } from '../text/references.ts';
import { comparisonOf } from './compile-rules.ts';
import type { ExpectedCall } from './expected-call.ts';
import { formatCall, formatDifferences } from './format-call.ts';
import { callOptions, listExpected } from './graded-metric.ts';
import { type ActualCall, missingCalls, readCalls } from './read-calls.ts';
import { notApplicable, thresholdOption } from '../verdicts.ts';

/**
 * Computes the tool call accuracy of ragas, from 0 to 1: 0 unless the tools were called in the expected order (or, with
 * `order: any`, as often as expected), else the mean share of the expected arguments that are right. Other arguments
 * cost nothing, unless none is expected. Calls in any order are paired so that the mean is greatest, where ragas pairs
 * them by the order of their arguments as texts and may give less. Not applicable when the case lists no calls, or an
 * empty list, for which ragas gives 1 or 0; not measured when the calls were not reported.
 */
export const toolCallAccuracy = defineMetric({
  name: 'tool-call-accuracy',
  family: 'tools',
  version: 2,
  reads: ['tools', 'calls'],
  summary: 'The tool calls are the expected ones, graded by their arguments, as in ragas.',
  words: 'ragas, function calling, agent, tool sequence, BFCL',
  options: () =>
    callOptions().extend({
      match: z
        .enum(['exact', 'superset', 'subset'])
        .default('superset')
        .describe('The comparison of arguments; `superset` allows others, as ragas does.'),
      order: z
        .enum(['strict', 'any'])
        .default('strict')
        .describe('`any`: the order of the calls does not matter.'),
      threshold: thresholdOption(),
    }),
  create: ({ order, threshold, ignoreTools, stripPrefix, ...comparison }) => ({
    score: (input) =>
      failIfUnusable(() => {
        const listed = listExpected(input.case.expected, comparisonOf(comparison));
        const expected = listed?.flatMap((call) => Array.from({ length: timesOf(call) }, () => call)) ?? [];
        if (expected.length === 0) return notApplicable('the question lists no calls to make');
        const unknown = missingCalls(input);
        if (unknown !== undefined) return unknown;
        return grade(expected, readCalls(input, { ignoreTools, stripPrefix }), { order, threshold });
      }),
  }),
});

/** Returns how often a call is expected: the least number, or once. */
function timesOf({ times }: ExpectedCall): number {
  return times?.least ?? 1;
}

interface GradeRules {
  readonly order: 'strict' | 'any';
  readonly threshold: number | undefined;
}

// A pair of calls of the same tool counts, even if no argument is right.
const leastWeight = 1e-6;

function grade(
  expected: readonly ExpectedCall[],
  calls: readonly ActualCall[],
  { order, threshold }: GradeRules,
): Verdict {
  const weights = expected.map((wanted, row) =>
    calls.map((call, column) => {
      const isPair = wanted.isOf(call) && (order === 'any' || row === column);
      return isPair ? leastWeight + shareOfArguments(wanted, call) : 0;
    }),
  );
  const partners = calls.length === expected.length ? assign(weights) : [];
  const isAligned = partners.length > 0 && partners.every((partner) => partner !== null);
  const made = calls.map(({ name }) => name).join(', ');
  if (!isAligned) {
    const wanted = expected.map(({ text }) => text).join(', ');
    const explanation = `expected ${wanted}; called ${made === '' ? 'nothing' : made}`;
    return verdictOf({ value: 0, explanation, evidence: { isAligned } }, threshold);
  }
  const pairs = expected.flatMap((wanted, row) => {
    const call = calls[partners[row] ?? -1];
    return call === undefined ? [] : [{ wanted, call, share: shareOfArguments(wanted, call) }];
  });
  const value = pairs.reduce((sum, { share }) => sum + share, 0) / expected.length;
  const wrong = pairs.filter(({ share }) => share < 1);
  const explanation = wrong
    .map(({ wanted, call }) => `${call.name}: ${formatDifferences(wanted.differences(call))}`)
    .join('; ');
  const evidence = {
    isAligned,
    calls: pairs.map(({ call, share }) => ({ call: formatCall(call.name, call.arguments), share })),
  };
  return verdictOf({ value, ...(explanation !== '' && { explanation }), evidence }, threshold);
}

function shareOfArguments(wanted: ExpectedCall, call: ActualCall): number {
  const count = wanted.countArguments(call);
  if (count === undefined) return 1;
  if (count.total > 0) return count.right / count.total;
  return Object.keys(call.arguments ?? {}).length === 0 ? 1 : 0;
}
