import { tryParseJson } from '../../../../core/lib/json/parse-json.ts';
import type { Attributes } from '../../../../core/schema/message.ts';
import { type Fields, isFields } from '../../reply/part.ts';

/** Returns the first of several attributes that has a value. */
export function valueOf(attributes: Attributes, names: readonly string[]): unknown {
  for (const name of names) {
    const value = attributes[name];
    if (value !== undefined && value !== null && value !== '') return value;
  }
  return undefined;
}

/** Returns the first of several attributes that is a text and not empty. */
export function textOf(attributes: Attributes, names: readonly string[]): string | undefined {
  const found = names.map((name) => attributes[name]);
  return found.find((value): value is string => typeof value === 'string' && value !== '');
}

/** Returns the first of several attributes as a number, if it is one of at least 0 or a text of one. */
export function amountOf(attributes: Attributes, names: readonly string[]): number | undefined {
  const value = valueOf(attributes, names);
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && number >= 0 && Number.isFinite(number) ? number : undefined;
}

/** Parses a value that may be a text of JSON; a text that is not JSON stays as it is. */
export function unpack(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  return tryParseJson(value, value);
}

/**
 * Returns the objects that numbered attributes spell out, in the order of their numbers: `x.0.role` and `x.0.content`
 * form one with the members `role` and `content`.
 */
export function numbered(attributes: Attributes, prefix: string): Fields[] {
  const objects = new Map<number, Record<string, unknown>>();
  for (const [name, value] of Object.entries(attributes)) {
    if (!name.startsWith(`${prefix}.`)) continue;
    const rest = name.slice(prefix.length + 1);
    const [, digits, member] = /^(\d{1,9})(?:\.(.+))?$/s.exec(rest) ?? [];
    if (digits === undefined) continue;
    const object = objects.get(Number(digits)) ?? {};
    objects.set(Number(digits), object);
    if (member !== undefined) define(object, member, value);
    else if (isFields(value)) for (const [key, inner] of Object.entries(value)) define(object, key, inner);
  }
  return [...objects].sort(([a], [b]) => a - b).map(([, object]) => object);
}

/** Defines a member. Assigning to `__proto__` would change the object's prototype instead. */
function define(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}
