/** The most values that a document may stand for once each alias is replaced by what it refers to. */
const mostValues = 5_000_000;

/** Options of the parser's `toJS` under which any number of aliases is read; each shares the value of its anchor. */
export const anyAliases = { maxAliasCount: -1 } as const;

/**
 * Returns a parsed value unchanged when it is of a reasonable size with all its aliases written out. One anchor may be used any
 * number of times; anchors within anchors that multiply are refused. Throws a `RangeError`.
 */
export function boundedYaml<Value>(value: Value): Value {
  if (sizeOf(value, new Map()) > mostValues)
    throw new RangeError(`with its aliases written out it has more than ${mostValues / 1e6} million values`);
  return value;
}

/** Counts the values in a value, shared ones as often as they occur. Each is looked into once. */
function sizeOf(value: unknown, known: Map<object, number>): number {
  if (typeof value !== 'object' || value === null) return 1;
  const before = known.get(value);
  if (before !== undefined) return before;
  // A value that contains itself never ends.
  known.set(value, Number.POSITIVE_INFINITY);
  const size = Object.values(value).reduce<number>((sum, inner) => sum + sizeOf(inner, known), 1);
  known.set(value, size);
  return size;
}
