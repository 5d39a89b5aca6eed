/** The first key that an object in a JSON text has twice; undefined when there is none. The text must be valid JSON. */
export function findDuplicateKey(json: string): string | undefined {
  const tokens = json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]/gs);
  const keysOf: (Set<string> | undefined)[] = [];
  let isKeyNext = false;
  for (const [token] of tokens) {
    if (token === '{') keysOf.push(new Set());
    else if (token === '[') keysOf.push(undefined);
    else if (token === '}' || token === ']') keysOf.pop();
    else if (token.startsWith('"') && isKeyNext) {
      const key = JSON.parse(token) as string;
      if (keysOf.at(-1)?.has(key)) return key;
      keysOf.at(-1)?.add(key);
    }
    isKeyNext = token === '{' || (token === ',' && keysOf.at(-1) !== undefined);
  }
  return undefined;
}
