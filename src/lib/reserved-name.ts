/**
 * Whether every object has something of this name, such as `constructor`: what is kept under it is mixed up with that, and
 * under `__proto__` is not kept at all.
 */
export function isReservedName(name: string): boolean {
  return name in Object.prototype;
}

/** Where plain data, or data within it, has a member called `__proto__`; undefined where none has. */
export function findReservedMember(
  value: unknown,
  path: readonly string[] = [],
  seen = new Set<unknown>(),
): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null || seen.has(value)) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== null && prototype !== Object.prototype) return undefined;
  seen.add(value);
  for (const [name, member] of Object.entries(value)) {
    const place = [...path, name];
    const found = name === '__proto__' ? place : findReservedMember(member, place, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}
