import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Json } from '../../schema/json.ts';
import { expectedValueSchema, matcherName } from '../../schema/matcher.ts';
import type { Verdict } from '../../schema/verdict.ts';
import { readPath, recordPathSchema, stateMissing } from '../criteria/record-view.ts';
import { compileMatcher, type MatchOptions } from '../matching/compile-matcher.ts';
import {
  ignoredInside,
  type IgnoredPaths,
  isRecord,
  memberPath,
  readIgnoredPaths,
  showValue,
  unlessUnusable,
} from '../matching/expectation.ts';
import { defineMetric, expectationsAt } from '../metric.ts';
import { describeMismatch, joinClauses, nothingAt, readExpected } from './expected-state.ts';

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

/**
 * A state in which every list of objects that all have an identity of their own is an object of these by that identity,
 * so that a new item, or another order, changes no other item.
 * Matchers stay as they are.
 * @param key - The member that tells the items apart, such as `id`.
 */
export function byIdentity(value: Json, key: string): Json {
  if (Array.isArray(value)) {
    const items = value.map((item) => byIdentity(item, key));
    const names = items.map((item) => identityOf(item, key));
    const isTold = items.length > 0 && !names.includes(undefined) && new Set(names).size === names.length;
    return isTold ? Object.fromEntries(items.map((item, index) => [names[index], item])) : items;
  }
  if (!isRecord(value) || matcherName(value) !== undefined) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, byIdentity(member, key)]));
}

function identityOf(item: Json, key: string): string | undefined {
  const identity = isRecord(item) && Object.hasOwn(item, key) ? item[key] : undefined;
  return typeof identity === 'string' || typeof identity === 'number' ? String(identity) : undefined;
}

/** One place where two states differ. */
interface Change {
  readonly path: string;
  readonly steps: readonly string[];
  /** Undefined where nothing was. */
  readonly before: Json | undefined;
  /** Undefined where nothing is any more. */
  readonly after: Json | undefined;
}

/**
 * All places where one state differs from another, as deep as both have the same kind of value. Lists of other lengths
 * differ as a whole.
 * @param hasIdentities - Whether lists of items with an identity are objects in these states (see `byIdentity`): then an
 *   empty list beside an object is one that had no items.
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

/** The keys of two objects; undefined when not both values are objects. */
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
  const holds = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
  return holds ? (value as Record<string, Json>)[step] : undefined;
}
