import { z } from 'zod';
import type { Json } from '../../schema/json.ts';
import { expectedValueSchema, matcherName } from '../../schema/matcher.ts';
import type { Verdict } from '../../schema/verdict.ts';
import { readPath, recordPathSchema, stateMissing } from '../criteria/record-view.ts';
import { compileMatcher, type MatchOptions } from '../matching/compile-matcher.ts';
import { isRecord, showValue } from '../matching/expectation.ts';
import { ignoredInside, type IgnoredPaths, readIgnoredPaths } from '../matching/ignored-paths.ts';
import { defineMetric, expectationsAt } from '../metric.ts';
import { unlessUnusable } from '../matching/unless-unusable.ts';
import { byIdentity } from './by-identity.ts';
import { describeMismatch, joinClauses } from './describe-differences.ts';
import { nothingAt, readExpected } from './expected-state.ts';
import { type Change, listChanges } from './list-changes.ts';

const kept = 20;

/** 1 when the state changed as expected and in nothing else, else 0 with what did not change and what should not have. */
export const stateDiff = defineMetric({
  name: 'state-diff',
  version: 1,
  reads: ({ expected, from }) => (expected === undefined ? expectationsAt(from) : []),
  summary: 'From the state before to the final state just the expected changes happened: 1, else 0.',
  options: () =>
    z.strictObject({
      before: recordPathSchema
        .default('metadata.state')
        .describe('Path in the case to the state before the conversation.'),
      expected: expectedValueSchema
        .optional()
        .describe(
          'What is to be there afterwards, in which matchers may stand: only what changes; `{ $absent: true }` for what is to go; `{}` when nothing is to change. The same for every case; else see `from`.',
        ),
      from: recordPathSchema
        .default('expected.state')
        .describe('Path in the case to its expected changes, for when no `expected` is given.'),
      identity: z
        .string()
        .min(1)
        .optional()
        .describe(
          'The member by which the objects in lists are told apart, such as `id`: then a new item changes no other, and an expected list holds only the items that change.',
        ),
      ignore: z
        .array(z.string().min(1))
        .default([])
        .describe('Paths that may change as they like: `updatedAt`, `meetings[*].version`.'),
      tolerance: z.number().nonnegative().default(0).describe('How far each expected number may be off.'),
    }),
  create: ({ before: beforePath, identity, ignore, tolerance, ...where }) => {
    const ignored = readIgnoredPaths(ignore);
    const options: MatchOptions = { mode: 'superset', ignore, tolerance };
    const told = (value: Json): Json => (identity === undefined ? value : byIdentity(value, identity));
    return {
      score: (input): Verdict =>
        unlessUnusable(() => {
          const before = readPath(input, beforePath);
          if (before === undefined) return nothingAt(beforePath);
          const expected = readExpected(where, input);
          if (expected === undefined) return nothingAt(where.from);
          const { state } = input.trial;
          if (state === undefined) return stateMissing;
          const wanted = told(expected);
          const after = told(state);
          const missed = compileMatcher(wanted, options).match(after).map(describeMismatch);
          const changes = listChanges(told(before), after, identity !== undefined).filter(
            ({ steps }) => !isIgnored(steps, ignored),
          );
          return toVerdict(
            missed,
            changes.filter((change) => !isExpected(change, wanted)),
            changes,
          );
        }),
    };
  },
});

/** Whether something is expected at the place of a change, or of something that the place is in. */
function isExpected({ steps }: Change, wanted: Json): boolean {
  let node = wanted;
  for (const step of steps) {
    if (!isRecord(node) || matcherName(node) !== undefined) return true;
    const member = Object.hasOwn(node, step) ? node[step] : undefined;
    if (member === undefined) return false;
    node = member;
  }
  return true;
}

function isIgnored(steps: readonly string[], ignored: IgnoredPaths): boolean {
  let paths: IgnoredPaths | null = ignored;
  for (const step of steps) {
    paths = ignoredInside(paths, step);
    if (paths === null) return true;
  }
  return false;
}

function toVerdict(
  missed: readonly string[],
  unexpected: readonly Change[],
  changes: readonly Change[],
): Verdict {
  const clauses = [...missed, ...unexpected.map((change) => `${describeChange(change)}, unexpectedly`)];
  const evidence = { count: changes.length, changes: changes.slice(0, kept).map(describeChange) };
  if (clauses.length === 0) return { status: 'scored', value: 1, passed: true, evidence };
  return { status: 'scored', value: 0, passed: false, explanation: joinClauses(clauses), evidence };
}

function describeChange({ path, before, after }: Change): string {
  const place = path === '' ? 'the state' : path;
  if (before === undefined) return `${place} was added: ${showValue(after)}`;
  if (after === undefined) return `${place} was removed: ${showValue(before)}`;
  return `${place} changed from ${showValue(before)} to ${showValue(after)}`;
}
