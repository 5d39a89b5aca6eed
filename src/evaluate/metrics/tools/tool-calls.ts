import type { Verdict } from '../../../core/schema/verdict.ts';
import { failIfUnusable } from '../matching/expectation.ts';
import { defineMetric } from '../metric.ts';
import { comparisonOf, compileRules } from './compile-rules.ts';
import { callOptions, missingOutcomes } from './graded-metric.ts';
import { abandonedCalls, type ActualCall, missingCalls, readCalls } from './read-calls.ts';
import { formatCall } from './format-call.ts';
import { notApplicable, passOrFail } from '../verdicts.ts';

/**
 * Checks that the tool calls of a conversation keep every rule of `expected.calls` and include every call of
 * `expected.tools`: 1, else 0 with each broken rule. docs/tool-calls.md describes the rules. Not applicable to a case
 * without such rules; not measured when the calls, or outcomes that a rule needs, were not reported.
 */
export const toolCalls = defineMetric({
  name: 'tool-calls',
  family: 'tools',
  aspect: 'expected-calls',
  version: 4,
  reads: ['tools', 'calls'],
  summary: 'The tool calls keep every rule of the question: 1, else 0.',
  words:
    'tool order, order of tools, sequence, trajectory, must not call, forbidden tool, function calling, agent, steps, path, loops, repeated calls, number of steps, handoff, escalation',
  options: callOptions,
  create: (options) => ({
    score: (input) =>
      failIfUnusable(() => {
        const { rules, needsOutcomes } = compileRules(input.case.expected, comparisonOf(options));
        if (rules.length === 0) return notApplicable('the question has no rules for tool calls');
        const unknown = missingCalls(input);
        if (unknown !== undefined) return unknown;
        const calls = readCalls(input, options);
        const record = {
          calls,
          abandoned: abandonedCalls(input, options),
          transcript: input.trial.transcript,
        };
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

function describeVerdict(found: readonly string[], calls: readonly ActualCall[]): Verdict {
  const broken = withoutImplied(found);
  const passed = broken.length === 0;
  return passOrFail(passed, {
    explanation: passed ? 'every rule for tool calls held' : broken.slice(0, mostShown).join('; '),
    evidence: {
      broken: broken.slice(0, mostShown),
      calls: calls.slice(0, mostShown).map((call) => formatCall(call.name, call.arguments)),
    },
  });
}

const notCalled = ' was not called';

/** Leaves out that a tool was not called where a call of it with its arguments is missing, which says so too. */
function withoutImplied(broken: readonly string[]): string[] {
  const missing = new Set(
    broken.flatMap((text) => (text.includes(notCalled) ? [text.slice(0, text.indexOf('('))] : [])),
  );
  return broken.filter((text) => !text.endsWith(notCalled) || !missing.has(text.slice(0, -notCalled.length)));
}
