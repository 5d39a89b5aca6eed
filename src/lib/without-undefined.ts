/** A record without the members that are undefined. */
export function withoutUndefined<Value>(
  record: Readonly<Record<string, Value | undefined>>,
): Record<string, Exclude<Value, undefined>> {
  return Object.fromEntries(
    Object.entries(record).filter(
      (entry): entry is [string, Exclude<Value, undefined>] => entry[1] !== undefined,
    ),
  );
}
