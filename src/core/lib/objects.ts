import { isContainer } from './json/is-container.ts';
/** Returns a record without the members that are undefined. */
export function withoutUndefined<Value>(
  record: Readonly<Record<string, Value | undefined>>,
): Record<string, Exclude<Value, undefined>> {
  return Object.fromEntries(
    Object.entries(record).filter(
      (entry): entry is [string, Exclude<Value, undefined>] => entry[1] !== undefined,
    ),
  );
}

/** Returns a JSON value without members that are undefined, at any depth, as `JSON.stringify` writes it. */
export function withoutAnyUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutAnyUndefined(item));
  if (!isContainer(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [[name, withoutAnyUndefined(member)] as const],
  );
  return Object.fromEntries(members);
}

/** Returns the entry of a map under a key. Creates the entry when there is none. */
export function getOrCreate<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}

/**
 * Returns the value at a path such as `choices[0].message.content` inside JSON; undefined when any step is missing.
 * Only own properties are followed.
 */
export function valueAtPath(value: unknown, path: string): unknown {
  return pathSteps(path).reduce(stepInto, value);
}

/** Returns the own property of an object, or the item of a list, with a name; undefined when there is none. */
export function stepInto(value: unknown, step: string): unknown {
  if (!isContainer(value) || !Object.hasOwn(value, step)) return undefined;
  return (value as Record<string, unknown>)[step];
}

/** Returns the steps of a path: `a.b[0]["c d"]` has the steps `a`, `b`, `0`, `c d`. */
export function pathSteps(path: string): string[] {
  const steps = path.matchAll(/\[(\d+)\]|\[(['"])(.*?)\2\]|([^.[\]]+)/g);
  return Array.from(steps, (match) => match[1] ?? match[3] ?? match[4] ?? '');
}

/** Sets a member under any name. A plain assignment to `__proto__` would change the prototype. */
export function setMember<Value>(record: Record<string, Value>, name: string, value: NoInfer<Value>): void {
  if (name !== '__proto__') record[name] = value;
  else Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
}

/**
 * Characters that control a terminal, reorder the text around them or are invisible. JSON itself escapes those below
 * U+0020.
 */
const unsafe = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Escapes such characters in JSON, and what a build server reads as a command. The value stays the same. */
export function escapeJson(json: string): string {
  return json
    .replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('##[', '\\u0023#[');
}

/** Returns a value as a JSON document that is safe to show in a terminal, with a newline at its end. */
export function jsonDocument(value: unknown): string {
  return `${escapeJson(JSON.stringify(value, null, 2))}\n`;
}
