/** A part of a value, with the name under which it was found. */
export interface Field {
  readonly name: string;
  readonly value: unknown;
}

/** The first of several names that an object has a value for; null counts as a value, undefined does not. */
export function findField(source: object, names: readonly string[]): Field | undefined {
  const record = source as Readonly<Record<string, unknown>>;
  for (const name of names) {
    const value = record[name];
    if (value !== undefined) return { name, value };
  }
  return undefined;
}
