/** Makes a value when it is first asked for: for what takes milliseconds to make and is seldom needed. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** For what a schema checks once or a few times: zod makes no code for it, which takes longer than such a check. */
export const checkOnce = { jitless: true } as const;
