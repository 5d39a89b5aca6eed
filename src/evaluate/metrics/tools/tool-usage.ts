import { z } from 'zod';
import { composed } from '../../../core/lib/json/same-text.ts';
import { expectedToolName } from '../../../core/schema/expected.ts';
import type { Expected } from '../../../core/schema/expected.ts';
import { toolCallsOf } from '../../../core/schema/trial.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { defineMetric, type MetricInput, nothingExpectedOption } from '../metric.ts';
import {
  namesOfTool,
  plainToolName,
  type StripPrefix,
  stripPrefixOption,
} from '../../../core/schema/expected-calls.ts';
import { missingCalls } from './read-calls.ts';
import { toolCalls } from './tool-calls.ts';
import { notApplicable, type Scored } from '../verdicts.ts';

/**
 * Checks that every expected tool was used and every rule for tool calls held: 1, else 0. Extra tools are free; an
 * empty list of expected tools scores 1. This is the tool component of three-component scoring. Not applicable to a
 * case that states nothing about tools, unless `nothingExpected` is `full`; not measured when neither the reply nor a
 * recording of it says which tools were used.
 */
export const toolUsage = defineMetric({
  name: 'tool-usage',
  family: 'tools',
  aspect: 'expected-tools',
  version: 3,
  reads: ['tools', 'calls'],
  summary: 'Every expected tool was used, and every rule for tool calls held: 1, else 0.',
  words:
    'right tool, tool called, function calling, agent, tool selection, used the tool, tool correctness, too many tools, unneeded tool',
  options: () => z.strictObject({ nothingExpected: nothingExpectedOption, stripPrefix: stripPrefixOption }),
  create: ({ nothingExpected, stripPrefix }) => {
    const { definition } = toolCalls;
    const rules = definition.create(definition.options.parse({ stripPrefix }), {});
    return {
      score: (input, context) => {
        const { tools, calls } = input.case.expected;
        if (tools === undefined && calls === undefined && nothingExpected !== 'full')
          return notApplicable('the question expects no tools');
        // Where no tool has to be used, full marks do not depend on which were.
        const isFree = calls === undefined && (tools ?? []).length === 0;
        const unknown = isFree ? undefined : missingCalls(input);
        if (unknown !== undefined) return unknown;
        const named = findTools(input, stripPrefix);
        if (!hasRules(input.case.expected)) return named;
        return withRules(named, rules.score(input, context) as Verdict);
      },
    };
  },
});

/** Returns whether the case expects more of calls than names of tools. */
function hasRules({ tools = [], calls }: Expected): boolean {
  return calls !== undefined || tools.some((tool) => typeof tool !== 'string');
}

function findTools({ case: { expected }, trial }: MetricInput, stripPrefix: StripPrefix): Scored {
  const wanted = (expected.tools ?? []).map(expectedToolName);
  const used = [
    ...new Set(toolCallsOf(trial.transcript).map(({ name }) => plainToolName(name, stripPrefix))),
  ];
  const names = toolCallsOf(trial.transcript).flatMap(({ name }) => namesOfTool(name, stripPrefix));
  const composedNames = new Set(names.map(composed));
  const missing = wanted.filter((tool) => !composedNames.has(composed(tool)));
  return {
    status: 'scored',
    value: missing.length === 0 ? 1 : 0,
    passed: missing.length === 0,
    explanation: explain(wanted, missing),
    evidence: { expected: wanted, used, missing },
  };
}

function explain(wanted: string[], missing: string[]): string {
  if (wanted.length === 0) return 'no tool expected';
  return missing.length === 0 ? 'every expected tool was used' : `not used: ${missing.join(', ')}`;
}

/** Joins both verdicts: an unused tool decides, otherwise the rules do. */
function withRules(named: Scored, rules: Verdict): Verdict {
  if (rules.status !== 'scored') return rules.status === 'failed' && named.value > 0 ? rules : named;
  return {
    ...rules,
    value: Math.min(named.value, rules.value),
    passed: named.passed === true && rules.passed === true,
    evidence: { ...(named.evidence as object), ...(rules.evidence as object) },
  };
}
