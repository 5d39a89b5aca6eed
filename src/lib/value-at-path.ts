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
