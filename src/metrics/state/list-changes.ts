import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../schema/json.ts';
import { isRecord, memberPath } from '../matching/expectation.ts';

/** One place where two states differ. */
export interface Change {
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
