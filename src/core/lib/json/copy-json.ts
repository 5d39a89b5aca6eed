import { setMember } from '../objects.ts';
import { ExactNumber } from './exact-number.ts';

/**
 * Returns a copy of a record or another JSON value, with the digits of long numbers, which `structuredClone` would lose.
 * Throws `DataCloneError` for what is no data, such as a function.
 */
export function copyJson<Value>(value: Value): Value {
  return copy(value) as Value;
}

function copy(value: unknown): unknown {
  if (value === null || typeof value !== 'object')
    return typeof value === 'function' ? structuredClone(value) : value;
  if (value instanceof ExactNumber) return value;
  if (Array.isArray(value)) return value.map(copy);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return structuredClone(value);
  const record: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    setMember(record, key, copy((value as Readonly<Record<string, unknown>>)[key]));
  }
  return record;
}
