import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { isNumber } from '../../../core/lib/json/exact-number.ts';
import { isContainer } from '../../../core/lib/json/is-container.ts';
import { type Json, amount, nonEmpty } from '../../../core/schema/json.ts';
import { expectedValueSchema, matcherName } from '../../../core/schema/matcher.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { readPath, recordPathSchema, stateMissing } from '../criteria/record-view.ts';
import { compileMatcher, type MatchOptions } from '../matching/compile-matcher.ts';
import {
  ignoredInside,
  type IgnoredPaths,
  isRecord,
  memberPath,
  readIgnoredPaths,
  formatValue,
  failIfUnusable,
} from '../matching/expectation.ts';
import { defineMetric, expectationsAt } from '../metric.ts';
import { describeMismatch, joinClauses, nothingAt, readExpected } from './expected-state.ts';

/** The most changes that are stored as evidence. */
const kept = 20;

/**
 * Checks that the state changed as expected and nowhere else: 1, else 0 with the changes that are missing and those
 * that were not expected. Not applicable when the case has no state before or no expected changes; not measured when
 * the target reported no final state.
 */
export const stateDiff = defineMetric({
  name: 'state-diff',
  version: 2,
  reads: ({ expected, from }) => (expected === undefined ? expectationsAt(from) : []),
  summary: 'Exactly the expected changes happened between the state before and the final state: 1, else 0.',
  words: 'database changes, side effects, final state, what changed, booking, environment',
  options: () =>
    z.strictObject({
      before: recordPathSchema
        .default('metadata.state')
        .describe('Path in the question to the state before the conversation.'),
      expected: expectedValueSchema
        .optional()
        .describe(
          'The expected changes, which may contain matchers: only what changes; `{ $absent: true }` for what is removed; `{}` for no change. It applies to every question; for one per question see `from`.',
        ),
      from: recordPathSchema
        .default('expected.state')
        .describe('Path in the question to its expected changes, used when `expected` is absent.'),
      identity: nonEmpty()
        .optional()
        .describe(
          'The member that identifies objects in lists, such as `id`: a new item then changes no other, and an expected list contains only the items that change.',
        ),
      ignore: z
        .array(nonEmpty())
        .default([])
        .describe('Paths whose changes are ignored: `updatedAt`, `meetings[*].version`.'),
      tolerance: amount().default(0).describe('Largest allowed distance from each expected number.'),
    }),
  create: ({ before: beforePath, identity, ignore, tolerance, ...where }) => {
    const ignored = readIgnoredPaths(ignore);
    const options: MatchOptions = { mode: 'superset', ignore, tolerance };
    const keyed = (value: Json): Json => (identity === undefined ? value : byIdentity(value, identity));
    return {
      score: (input): Verdict =>
        failIfUnusable(() => {
          const before = readPath(input, beforePath);
          if (before === undefined) return nothingAt(beforePath);
          const expected = readExpected(where, input);
          if (expected === undefined) return nothingAt(where.from);
          const { state } = input.trial;
          if (state === undefined) return stateMissing;
          const wanted = keyed(expected);
          const after = keyed(state);
          const missed = compileMatcher(wanted, options).match(after).map(describeMismatch);
          const changes = listChanges(keyed(before), after, identity !== undefined).filter(
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

/** Returns whether something is expected at the place of a change, or at a place that contains it. */
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
  if (before === undefined) return `${place} was added: ${formatValue(after)}`;
  if (after === undefined) return `${place} was removed: ${formatValue(before)}`;
  return `${place} changed from ${formatValue(before)} to ${formatValue(after)}`;
}

/**
 * Converts every list of objects that all have distinct identities to an object by these identities, so that a new item
 * or another order changes no other item. Matchers stay as they are.
 * @param key - The member that identifies an item, such as `id`.
 */
export function byIdentity(value: Json, key: string): Json {
  if (Array.isArray(value)) {
    const items = value.map((item) => byIdentity(item, key));
    const names = items.map((item) => identityOf(item, key));
    const isKeyed = items.length > 0 && !names.includes(undefined) && new Set(names).size === names.length;
    return isKeyed ? Object.fromEntries(items.map((item, index) => [names[index], item])) : items;
  }
  if (!isRecord(value) || matcherName(value) !== undefined) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, byIdentity(member, key)]));
}

function identityOf(item: Json, key: string): string | undefined {
  const identity = isRecord(item) && Object.hasOwn(item, key) ? item[key] : undefined;
  return typeof identity === 'string' || isNumber(identity) ? String(identity) : undefined;
}

/** One place where two states differ. */
interface Change {
  readonly path: string;
  readonly steps: readonly string[];
  /** Undefined when there was no value. */
  readonly before: Json | undefined;
  /** Undefined when the value was removed. */
  readonly after: Json | undefined;
}

/**
 * Returns all places where two states differ, as deep as both have the same kind of value. Lists of different lengths
 * differ as a whole.
 * @param hasIdentities - True when lists of items with an identity are objects in these states (see `byIdentity`): an
 * empty list then compares as an object without members.
 */
export function listChanges(
  before: Json | undefined,
  after: Json | undefined,
  hasIdentities = false,
): Change[] {
  return changesAt({ path: '', steps: [], before, after }, hasIdentities);
}

function changesAt(change: Change, hasIdentities: boolean): Change[] {
  const { before, after } = change;
  if (isDeepStrictEqual(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((_, index) =>
      changesAt(inside(change, String(index), `${change.path}[${index}]`), hasIdentities),
    );
  }
  const keys = memberKeys(before, after, hasIdentities);
  if (keys === undefined) return [change];
  return keys.flatMap((key) => changesAt(inside(change, key, memberPath(change.path, key)), hasIdentities));
}

/** Returns the keys of two objects; undefined when one of the values is not an object. */
function memberKeys(
  before: Json | undefined,
  after: Json | undefined,
  hasIdentities: boolean,
): string[] | undefined {
  const isEmpty = (value: Json | undefined) => hasIdentities && Array.isArray(value) && value.length === 0;
  const [first, second] = [before, after].map((value) => (isEmpty(value) ? {} : value));
  if (!isRecord(first) || !isRecord(second)) return undefined;
  return [...new Set([...Object.keys(first), ...Object.keys(second)])];
}

function inside({ before, after, steps }: Change, step: string, path: string): Change {
  return { path, steps: [...steps, step], before: memberOf(before, step), after: memberOf(after, step) };
}

function memberOf(value: Json | undefined, step: string): Json | undefined {
  const hasMember = isContainer(value) && Object.hasOwn(value, step);
  return hasMember ? (value as Record<string, Json>)[step] : undefined;
}
