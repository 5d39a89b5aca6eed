/**
 * The value at a path such as `choices[0].message.content` inside JSON; undefined when any step is missing.
 * Only own properties are followed.
 */
export function valueAtPath(value: unknown, path: string): unknown {
  let current: unknown = value;
  for (const step of pathSteps(path)) {
    if (current === null || typeof current !== 'object' || !Object.hasOwn(current, step)) return undefined;
    current = (current as Record<string, unknown>)[step];
  }
  return current;
}

/** The steps of a path: `a.b[0]["c d"]` is `a`, `b`, `0`, `c d`. */
export function pathSteps(path: string): string[] {
  const steps = path.matchAll(/\[(\d+)\]|\[(['"])(.*?)\2\]|([^.[\]]+)/g);
  return Array.from(steps, (match) => match[1] ?? match[3] ?? match[4] ?? '');
}
