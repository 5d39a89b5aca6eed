import { z } from 'zod';
import { pathSteps, valueAtPath } from '../../../core/lib/objects.ts';
import { type Json, amount, nonEmpty } from '../../../core/schema/json.ts';
import { expectedValueSchema } from '../../../core/schema/matcher.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { recordPathSchema, stateMissing } from '../criteria/record-view.ts';
import { compileMatcher, type MatchOptions, type Mismatch } from '../matching/compile-matcher.ts';
import { isRecord, failIfUnusable } from '../matching/expectation.ts';
import { defineMetric, expectationsAt } from '../metric.ts';
import {
  describeMismatch,
  differencesAsEvidence,
  joinClauses,
  nothingAt,
  readExpected,
} from './expected-state.ts';

/**
 * Checks that the final state is as expected: 1, else 0 with every place where it differs. Not applicable when the case
 * expects no state; not measured when the target reported none.
 */
export const stateMatch = defineMetric({
  name: 'state-match',
  version: 2,
  reads: ({ expected, from }) => (expected === undefined ? expectationsAt(from) : []),
  summary: 'The final state is as expected, or contains what is expected: 1, else 0.',
  words:
    'final state, database, booking, task success, outcome, environment, goal state, tau-bench, task completion',
  options: () =>
    z.strictObject({
      expected: expectedValueSchema
        .optional()
        .describe(
          'The expected state, which may contain matchers. It applies to every question; for one per question see `from`.',
        ),
      from: recordPathSchema
        .default('expected.state')
        .describe('Path in the question to its expected state, used when `expected` is absent.'),
      at: nonEmpty()
        .optional()
        .describe('Path in the final state to the value to compare; the whole state when absent.'),
      mode: z
        .enum(['exact', 'superset', 'subset'])
        .default('superset')
        .describe(
          '`superset`: the state may contain more than expected; `exact`: nothing more; `subset`: less, but nothing else.',
        ),
      keys: z
        .enum(['names', 'paths'])
        .default('names')
        .describe(
          '`paths`: the expected state is an object of paths and what is expected there: `{ "bookings[0].time": "10:00" }`.',
        ),
      sets: z
        .array(nonEmpty())
        .default([])
        .describe(
          'Paths of lists whose order and repetitions are ignored: `participants`, `meetings[*].people`.',
        ),
      ignore: z.array(nonEmpty()).default([]).describe('Paths to ignore: `updatedAt`, `meetings[*].id`.'),
      tolerance: amount().default(0).describe('Largest allowed distance from each expected number.'),
    }),
  create: ({ at, keys, sets, mode, ignore, tolerance, ...where }) => {
    const options: MatchOptions = { mode, ignore, tolerance };
    const findMismatches = (wanted: Json, state: Json | undefined): Mismatch[] =>
      keys === 'paths' && isRecord(wanted)
        ? matchPaths(wanted, state, { options, sets })
        : compileMatcher(markSets(wanted, sets), options).match(state);
    return {
      score: (input): Verdict =>
        failIfUnusable(() => {
          const wanted = readExpected(where, input);
          if (wanted === undefined) return nothingAt(where.from);
          const { state } = input.trial;
          if (state === undefined) return stateMissing;
          const actual = at === undefined ? state : (valueAtPath(state, at) as Json | undefined);
          return toVerdict(findMismatches(wanted, actual));
        }),
    };
  },
});

interface PathRule {
  readonly options: MatchOptions;
  readonly sets: readonly string[];
}

/** Compares each path by itself; values without a path are ignored. */
function matchPaths(wanted: { [path: string]: Json }, state: Json | undefined, rule: PathRule): Mismatch[] {
  const { options, sets } = rule;
  return Object.entries(wanted).flatMap(([path, expected]) => {
    const value = sets.includes(path) ? markSets(expected, ['']) : expected;
    const mismatches = compileMatcher(value, options).match(valueAtPath(state, path) as Json | undefined);
    return mismatches.map((mismatch) => ({ ...mismatch, path: joinPaths(path, mismatch.path) }));
  });
}

function joinPaths(outer: string, inner: string): string {
  return inner === '' || inner.startsWith('[') ? `${outer}${inner}` : `${outer}.${inner}`;
}

function toVerdict(mismatches: readonly Mismatch[]): Verdict {
  if (mismatches.length === 0) return { status: 'scored', value: 1, passed: true };
  return {
    status: 'scored',
    value: 0,
    passed: false,
    explanation: joinClauses(mismatches.map(describeMismatch)),
    evidence: differencesAsEvidence(mismatches),
  };
}

/**
 * Returns an expected value in which the lists at some paths are sets, so that order and repetition are ignored. `*`
 * means any step.
 */
function markSets(expected: Json, paths: readonly string[]): Json {
  return paths.reduce((value, path) => markAt(value, pathSteps(path)), expected);
}

function markAt(value: Json, steps: readonly string[]): Json {
  const [step, ...rest] = steps;
  if (step === undefined) return Array.isArray(value) ? { $set: value } : value;
  if (Array.isArray(value)) {
    return value.map((item, index) => (step === '*' || step === String(index) ? markAt(item, rest) : item));
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      step === '*' || step === key ? markAt(member, rest) : member,
    ]),
  );
}
