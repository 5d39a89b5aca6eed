/** The first key that an object in a JSON text has twice; undefined when there is none. The text must be valid JSON. */
export function findDuplicateKey(json: string): string | undefined {
  const keysOf: (Set<string> | undefined)[] = [];
  let isKeyNext = false;
  for (let place = 0; place < json.length; place += 1) {
    const mark = json[place];
    if (mark === '{') keysOf.push(new Set());
    else if (mark === '[') keysOf.push(undefined);
    else if (mark === '}' || mark === ']') keysOf.pop();
    else if (mark === '"') {
      const end = endOfText(json, place);
      const keys = keysOf.at(-1);
      if (isKeyNext && keys !== undefined) {
        const key = JSON.parse(json.slice(place, end)) as string;
        if (keys.has(key)) return key;
        keys.add(key);
      }
      place = end - 1;
      isKeyNext = false;
      continue;
    } else if (mark !== ',') continue;
    isKeyNext = mark === '{' || (mark === ',' && keysOf.at(-1) !== undefined);
  }
  return undefined;
}

/** Where a text in quotes ends that begins at a place; the end of everything where it is not closed. */
export function endOfText(json: string, start: number): number {
  for (let place = start + 1; place < json.length; place += 1) {
    const code = json.charCodeAt(place);
    if (code === backslash) place += 1;
    else if (code === quotationMark) return place + 1;
  }
  return json.length;
}

const backslash = 92;
const quotationMark = 34;
