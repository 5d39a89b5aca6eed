import { z } from 'zod';
import { lazily } from '../../../core/lib/lazily.ts';
import type { Expected } from '../../../core/schema/expected.ts';
import { type Comparison, comparisonShape } from '../../../core/schema/expected-calls.ts';
import { type Json, nonEmpty, share } from '../../../core/schema/json.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { failIfUnusable } from '../matching/expectation.ts';
import type { Metric } from '../metric.ts';
import { comparisonOf, flattenItems, readRules } from './compile-rules.ts';
import { compileCall, type ExpectedCall } from './expected-call.ts';
import { type CallGrades, gradeCalls } from './grade-calls.ts';
import { type ActualCall, missingCalls, readCalls } from './read-calls.ts';
import { stripPrefixOption } from '../../../core/schema/expected-calls.ts';
import { formatCall, formatDifferences } from './format-call.ts';
import { notApplicable, reaches, thresholdOption } from '../verdicts.ts';

const atLeastOnce = { min: 1 };

/**
 * Returns the calls that a case lists, regardless of order, for the graded metrics: the calls of the first list that is present
 * of `expect`, `must`, `none` (no calls) and `expected.tools`; undefined when the case lists none. Where no number is
 * stated, calls of `expect` are expected once, the others at least once.
 */
export function listExpected({ calls, tools }: Expected, defaults: Comparison): ExpectedCall[] | undefined {
  const rules = readRules(calls);
  const comparison = { ...defaults, ...comparisonOf(rules) };
  const { expect, must, none } = rules;
  if (expect !== undefined) return flattenItems(expect).map((item) => compileCall(item, comparison));
  const listed = must ?? (none === undefined ? tools : []);
  return listed?.map((item) => {
    const parts = typeof item === 'string' ? { name: item } : item;
    return compileCall({ ...parts, times: parts.times ?? atLeastOnce }, comparison);
  });
}

/** The options of every metric that compares calls. */
export const callOptions = lazily(() =>
  z.strictObject({
    ...comparisonShape,
    stripPrefix: stripPrefixOption,
    ignoreTools: z
      .array(nonEmpty())
      .default([])
      .describe('Tools whose calls are ignored, such as one for notes of the model to itself.'),
  }),
);

/** The options of metrics that grade calls. */
export const gradeOptions = lazily(() =>
  callOptions().extend({
    partialCredit: z
      .union([share(), z.literal('arguments')])
      .default(0)
      .describe(
        'The credit for a call of the right tool with wrong arguments: a share of 1, or `arguments` for the share of its arguments that are right.',
      ),
    threshold: thresholdOption(),
  }),
);

type GradeOptions = z.output<ReturnType<typeof gradeOptions>>;

/** A measure of paired calls; null when it is undefined. */
type Measure = (grades: CallGrades) => number | null;

/** Creates a metric from a measure. When the measure is undefined, the verdict is `not-applicable`, never 0. */
export function createGradedMetric(options: GradeOptions, measure: Measure): Metric {
  const comparison = comparisonOf(options);
  return {
    score: (input) =>
      failIfUnusable(() => {
        const expected = listExpected(input.case.expected, comparison);
        if (expected === undefined) return notApplicable('the question lists no calls to make');
        const notRecorded = missingCalls(input);
        if (notRecorded !== undefined) return notRecorded;
        const calls = readCalls(input, options);
        const unknown = missingOutcomes(
          expected.some(({ needsOutcome }) => needsOutcome),
          calls,
        );
        return (
          unknown ?? describeGrades(gradeCalls(expected, calls, options.partialCredit), measure, options)
        );
      }),
  };
}

function describeGrades(grades: CallGrades, measure: Measure, { threshold }: GradeOptions): Verdict {
  const value = measure(grades);
  if (value === null) {
    const reason = grades.required > 0 ? 'no tool was called' : 'no call is to be made';
    return notApplicable(
      grades.required + grades.made === 0 ? 'no call is to be made, and none was' : reason,
    );
  }
  return {
    status: 'scored',
    value,
    passed: reaches(value, threshold),
    explanation: explain(grades),
    evidence: showGrades(grades),
  };
}

function explain({ pairs, missing, extra, required }: CallGrades): string {
  const made = pairs.filter(({ slot }) => slot.isRequired).length;
  const partial = pairs.filter(({ credit }) => credit < 1);
  return [
    `${made} of ${required} expected calls made`,
    ...(missing.length === 0 ? [] : [`missing: ${missing.map(({ text }) => text).join(', ')}`]),
    ...partial.map(({ slot, call }) => `${call.name}: ${formatDifferences(slot.call.differences(call))}`),
    ...(extra.length === 0 ? [] : [`not expected: ${extra.map(show).join(', ')}`]),
  ].join('; ');
}

const mostShown = 100;

function showGrades({ pairs, missing, extra }: CallGrades): Json {
  return {
    pairs: pairs
      .slice(0, mostShown)
      .map(({ slot, call, credit }) => ({ expected: slot.call.text, actual: show(call), credit })),
    missing: missing.slice(0, mostShown).map(({ text }) => text),
    extra: extra.slice(0, mostShown).map(show),
  };
}

function show(call: ActualCall): string {
  return formatCall(call.name, call.arguments);
}

/**
 * Returns the verdict when a rule depends on the outcome of calls and the target does not report any; undefined when
 * the rules can be checked.
 */
export function missingOutcomes(isNeeded: boolean, calls: readonly ActualCall[]): Verdict | undefined {
  if (!isNeeded || !calls.some(({ outcome }) => outcome === 'unknown')) return undefined;
  return {
    status: 'failed',
    code: 'tool-results-missing',
    reason: 'a rule depends on the outcome of calls, but the target does not report what its tools returned',
  };
}
