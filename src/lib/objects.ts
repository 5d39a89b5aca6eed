/** A record without the members that are undefined. */
export function withoutUndefined<Value>(
  record: Readonly<Record<string, Value | undefined>>,
): Record<string, Exclude<Value, undefined>> {
  return Object.fromEntries(
    Object.entries(record).filter(
      (entry): entry is [string, Exclude<Value, undefined>] => entry[1] !== undefined,
    ),
  );
}

/** The entry of a map under a key, made when it is not there yet. */
export function entryOf<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}

/**
 * The value at a path such as `choices[0].message.content` inside JSON; undefined when any step is missing.
 * Only own properties are followed.
 */
export function valueAtPath(value: unknown, path: string): unknown {
  return pathSteps(path).reduce(stepInto, value);
}

/** The own property of an object, or the item of a list, with a name; undefined when there is none. */
export function stepInto(value: unknown, step: string): unknown {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, step)) return undefined;
  return (value as Record<string, unknown>)[step];
}

/** The steps of a path: `a.b[0]["c d"]` is `a`, `b`, `0`, `c d`. */
export function pathSteps(path: string): string[] {
  const steps = path.matchAll(/\[(\d+)\]|\[(['"])(.*?)\2\]|([^.[\]]+)/g);
  return Array.from(steps, (match) => match[1] ?? match[3] ?? match[4] ?? '');
}

/** Gives an object a member under any name: assigned, `__proto__` would change what the object is. */
export function setMember<Value>(record: Record<string, Value>, name: string, value: NoInfer<Value>): void {
  if (name !== '__proto__') record[name] = value;
  else Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
}

/** What a terminal would obey, turn the text around it by, or not show at all; JSON itself escapes what is below U+0020. */
const unsafe = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** The same JSON with such characters escaped, wherever they stand in its texts, and what a build takes for a command. */
export function escapeJson(json: string): string {
  return json
    .replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('##[', '\\u0023#[');
}

/** A value as a JSON document that can be shown in a terminal, with a newline at its end. */
export function jsonDocument(value: unknown): string {
  return `${escapeJson(JSON.stringify(value, null, 2))}\n`;
}
