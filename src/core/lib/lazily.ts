/**
 * Returns a function that creates a value at its first call, for values that take milliseconds to create and are seldom
 * needed.
 */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
