/** Two lists of texts with a number in place of each, the same for the same text: numbers are quick to compare. */
export interface ItemCodes {
  readonly first: Int32Array;
  readonly second: Int32Array;
  /** How many different texts there are: the numbers count from 0. */
  readonly symbols: number;
}

/** Numbers the items of two lists. */
export function codeItems(first: readonly string[], second: readonly string[]): ItemCodes {
  const codes = new Map<string, number>();
  const codeOf = (item: string) => {
    const code = codes.get(item) ?? codes.size;
    codes.set(item, code);
    return code;
  };
  const coded = { first: Int32Array.from(first, codeOf), second: Int32Array.from(second, codeOf) };
  return { ...coded, symbols: codes.size };
}
