/**
 * Returns a function that creates a value at its first call, for values that take milliseconds to create and are seldom
 * needed.
 */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/**
 * Options for a schema that checks one or a few values: zod then generates no code, which would take longer than the
 * check.
 */
export const checkOnce = { jitless: true } as const;
