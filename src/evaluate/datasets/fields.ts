import { isContainer } from '../../core/lib/json/is-container.ts';
import { setMember } from '../../core/lib/objects.ts';

/** A JSON object. */
export type Fields = Record<string, unknown>;

/** Returns whether a value is a JSON object and not a list. */
export function isFields(value: unknown): value is Fields {
  return isContainer(value) && !Array.isArray(value);
}

/**
 * Puts a value at a path of an object without overwriting: if the path is taken, the value is put next to it under a new
 * name. Returns the path used. Objects on the path are replaced by copies, never changed.
 */
export function putInto(target: Fields, path: readonly string[], value: unknown): readonly string[] {
  const [key = '', ...rest] = path;
  const there = Object.hasOwn(target, key) ? target[key] : undefined;
  if (rest.length > 0 && (there === undefined || isFields(there))) {
    const inner = { ...there };
    setMember(target, key, inner);
    return [key, ...putInto(inner, rest, value)];
  }
  const name = freeName(target, path.join('.'));
  setMember(target, name, value);
  return [name];
}

function freeName(target: Fields, name: string): string {
  if (!Object.hasOwn(target, name)) return name;
  let number = 2;
  while (Object.hasOwn(target, `${name}_${number}`)) number += 1;
  return `${name}_${number}`;
}
