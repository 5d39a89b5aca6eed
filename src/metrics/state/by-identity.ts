import type { Json } from '../../schema/json.ts';
import { matcherName } from '../../schema/matcher.ts';
import { isRecord } from '../matching/expectation.ts';

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
