import { z } from 'zod';
import { lazily } from '../../lib/lazily.ts';
import type { Expected } from '../../schema/case.ts';
import { type Comparison, comparisonShape } from '../../schema/expected-calls.ts';
import type { Json } from '../../schema/json.ts';
import type { Verdict } from '../../schema/verdict.ts';
import { unlessUnusable } from '../matching/expectation.ts';
import type { Metric } from '../metric.ts';
import { comparisonOf, flattenItems, readRules } from './compile-rules.ts';
import { compileCall, type ExpectedCall } from './expected-call.ts';
import { type CallGrades, gradeCalls } from './grade-calls.ts';
import { type ActualCall, missingCalls, readCalls } from './read-calls.ts';
import { showCall, showDifferences } from './show-call.ts';

const atLeastOnce = { min: 1 };

/**
 * The calls that a case lists, in no order, for the graded metrics: those of `expect`, or of `must`, or none under `none`,
 * or those of `expected.tools`, the first of these that is there; undefined when the case lists none. Where it does not say
 * how often, those of `expect` are to be made once, the others once or more.
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

/** Options of every metric that compares calls. */
export const callOptions = lazily(() =>
  z.strictObject({
    ...comparisonShape,
    ignoreTools: z
      .array(z.string().min(1))
      .default([])
      .describe('Tools whose calls do not count, such as one that only thinks aloud.'),
  }),
);

/** Options of the metrics that grade calls. */
export const gradeOptions = lazily(() =>
  callOptions().extend({
    partialCredit: z
      .union([z.number().min(0).max(1), z.literal('arguments')])
      .default(0)
      .describe(
        'What a call of the right tool with wrong arguments counts: a share of 1, or `arguments`: the share of its arguments that are right.',
      ),
    threshold: z.number().min(0).max(1).optional().describe('Least value for the verdict to pass.'),
  }),
);

type GradeOptions = z.output<ReturnType<typeof gradeOptions>>;

/** A measure of paired calls; null where it is undefined. */
type Measure = (grades: CallGrades) => number | null;

/** Makes a metric of a measure. Where the measure is undefined, the verdict is `not-applicable`, never 0. */
export function createGradedMetric(options: GradeOptions, measure: Measure): Metric {
  const comparison = comparisonOf(options);
  return {
    score: (input) =>
      unlessUnusable(() => {
        const expected = listExpected(input.case.expected, comparison);
        if (expected === undefined) return notApplicable('the case lists no calls to make');
        const notRecorded = missingCalls(input);
        if (notRecorded !== undefined) return notRecorded;
        const calls = readCalls(input, options.ignoreTools);
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
    passed: threshold === undefined ? undefined : value >= threshold - 1e-9,
    explanation: explain(grades),
    evidence: showGrades(grades),
  };
}

function notApplicable(reason: string): Verdict {
  return { status: 'not-applicable', reason };
}

function explain({ pairs, missing, extra, required }: CallGrades): string {
  const made = pairs.filter(({ slot }) => slot.isRequired).length;
  const partial = pairs.filter(({ credit }) => credit < 1);
  return [
    `${made} of ${required} expected calls made`,
    ...(missing.length === 0 ? [] : [`missing: ${missing.map(({ text }) => text).join(', ')}`]),
    ...partial.map(({ slot, call }) => `${call.name}: ${showDifferences(slot.call.differences(call))}`),
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
  return showCall(call.name, call.arguments);
}

/** The verdict where a rule asks what became of calls and the target does not say; undefined where it can be answered. */
export function missingOutcomes(isNeeded: boolean, calls: readonly ActualCall[]): Verdict | undefined {
  if (!isNeeded || !calls.some(({ outcome }) => outcome === 'unknown')) return undefined;
  return {
    status: 'failed',
    code: 'tool-results-missing',
    reason: 'a rule asks what became of the calls, and the target does not report what its tools gave back',
  };
}
