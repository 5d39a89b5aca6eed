import type { Verdict } from '../../schema/verdict.ts';
import { unlessUnusable } from '../matching/expectation.ts';
import { defineMetric } from '../metric.ts';
import { comparisonOf, compileRules } from './compile-rules.ts';
import { callOptions, missingOutcomes } from './graded-metric.ts';
import { type ActualCall, missingCalls, readCalls } from './read-calls.ts';
import { showCall } from './show-call.ts';

/**
 * 1 when the tool calls of a conversation keep every rule of `expected.calls`, and every call of `expected.tools` was
 * made; else 0. The rules are those of docs/tool-calls.md.
 */
export const toolCalls = defineMetric({
  name: 'tool-calls',
  family: 'tools',
  version: 2,
  reads: ['tools', 'calls'],
  summary: 'The tool calls keep every rule of the case: 1, else 0.',
  options: callOptions,
  create: (options) => ({
    score: (input) =>
      unlessUnusable(() => {
        const { rules, needsOutcomes } = compileRules(input.case.expected, comparisonOf(options));
        if (rules.length === 0) {
          return { status: 'not-applicable', reason: 'the case has no rules for tool calls' };
        }
        const unknown = missingCalls(input);
        if (unknown !== undefined) return unknown;
        const calls = readCalls(input, options.ignoreTools);
        const record = { calls, transcript: input.trial.transcript };
        return (
          missingOutcomes(needsOutcomes, calls) ??
          describeVerdict(
            rules.flatMap((rule) => rule(record)),
            calls,
          )
        );
      }),
  }),
});

const mostShown = 100;

function describeVerdict(broken: string[], calls: readonly ActualCall[]): Verdict {
  const passed = broken.length === 0;
  return {
    status: 'scored',
    value: passed ? 1 : 0,
    passed,
    explanation: passed ? 'every rule for tool calls was kept' : broken.slice(0, mostShown).join('; '),
    evidence: {
      broken: broken.slice(0, mostShown),
      calls: calls.slice(0, mostShown).map((call) => showCall(call.name, call.arguments)),
    },
  };
}
