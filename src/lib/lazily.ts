/** Makes a value when it is first asked for: for what takes milliseconds to make and is seldom needed. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
