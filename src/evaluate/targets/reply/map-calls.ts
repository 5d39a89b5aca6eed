import { listKeys } from '../../../core/lib/text/describe-value.ts';
import { getOrCreate } from '../../../core/lib/objects.ts';
import { TargetFailure } from '../target.ts';
import { type Fields, isFields } from './part.ts';
import { replyPath } from './reply-path.ts';

/** The paths of the parts of a call in an item of a list. */
export type CallNames = Readonly<
  Partial<Record<'name' | 'arguments' | 'result' | 'id' | 'error', string | undefined>>
>;

const parts = ['name', 'arguments', 'result', 'id', 'error'] as const;

/**
 * Gives the parts of calls their usual names. Items of one id are one call, in whichever order its parts come. Without
 * names, the list is returned as it is. Throws `invalid-answer` for an item without a name of a tool.
 */
export function mapCalls(value: unknown, names: CallNames): unknown {
  if (parts.every((part) => names[part] === undefined)) return value;
  const items = (Array.isArray(value) ? (value as readonly unknown[]) : [value]).filter(isFields);
  const calls = new Set<Record<string, unknown>>();
  const byId = new Map<string, Record<string, unknown>>();
  for (const item of items) {
    const found = partsOf(item, names);
    const id = found['id'];
    const call = id === undefined ? {} : getOrCreate(byId, JSON.stringify(id), () => ({}));
    calls.add(call);
    Object.assign(call, found);
    if (id === undefined) requireName(call, item, names);
  }
  for (const call of byId.values()) requireName(call, call, names);
  return [...calls];
}

/** Returns the parts of a call that an item has; one whose name is not given keeps its usual one. */
function partsOf(item: Fields, names: CallNames): Record<string, unknown> {
  const found: Record<string, unknown> = { ...item };
  for (const part of parts) {
    const path = names[part];
    if (path === undefined) continue;
    const value = replyPath(path).find(item);
    if (value === undefined) delete found[part];
    else found[part] = value;
  }
  return found;
}

function requireName(call: Fields, item: Fields, { name }: CallNames): void {
  if (name === undefined || call['name'] !== undefined) return;
  throw new TargetFailure(
    'invalid-answer',
    `An item of \`toolCalls\` has nothing at \`${name}\`, the path of its name; it has the keys ${listKeys(Object.keys(item))}.`,
  );
}
