/**
 * JSON with object keys in code-unit order and without `undefined`, so that equal values have equal text.
 * Throws `TypeError` on numbers that JSON cannot hold.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return primitiveJson(value);
  return Array.isArray(value) ? arrayJson(value) : objectJson(value as Record<string, unknown>);
}

function arrayJson(items: readonly unknown[]): string {
  let text = '';
  for (const item of items) text += `${text === '' ? '' : ','}${canonicalJson(item)}`;
  return `[${text}]`;
}

function objectJson(record: Readonly<Record<string, unknown>>): string {
  let text = '';
  for (const key of sortedKeys(record)) {
    const value = record[key];
    if (value === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(value)}`;
  }
  return `{${text}}`;
}

/** Few objects need sorting, which takes as long as all the rest. */
function sortedKeys(record: object): string[] {
  const keys = Object.keys(record);
  const isSorted = keys.every((key, index) => index === 0 || (keys[index - 1] as string) < key);
  return isSorted ? keys : keys.sort();
}

function primitiveJson(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError(`${value} has no form in JSON`);
  return JSON.stringify(value) ?? 'null';
}
