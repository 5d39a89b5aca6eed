/** The most cells of the table that are computed: about a second. */
const mostCells = 5e9;

/**
 * Returns the Levenshtein distance of two lists: the fewest items to insert, delete or replace. Uses Myers'
 * bit-parallel algorithm in blocks of 32 (Hyyrö, 2003): time is the product of the lengths over 32. For lists whose
 * product is more than `most` cells, only those near the diagonal are computed (Ukkonen, 1985); undefined where the
 * distance may be greater than these cells can show.
 */
export function editDistance(
  first: readonly string[],
  second: readonly string[],
  most = mostCells,
): number | undefined {
  const rest = trimCommonEnds(first, second);
  const [rows, columns] = [rest.first.length, rest.second.length];
  if (rows === 0 || columns === 0) return rows + columns;
  const longer = Math.max(rows, columns);
  if (rows * columns <= most) return countEdits(rest.first, rest.second, longer);
  const reach = Math.floor(most / (2 * longer));
  if (Math.abs(rows - columns) > reach) return undefined;
  const edits = countEdits(rest.first, rest.second, reach);
  return edits <= reach ? edits : undefined;
}

const wordSize = 32;

/** Counts the edits along the best of the paths that stay within `reach` of the diagonal. */
function countEdits(pattern: readonly string[], text: readonly string[], reach: number): number {
  const codes = codeItems(pattern, text);
  const rowsWith = new Int32Array(codes.symbols);
  // The horizontal difference that enters each block from the one above: -1, 0 or 1 for each item of the text.
  const differences = new Int8Array(text.length).fill(1);
  // The cell above and left of the computed part of a block: left of that part, each row costs one more edit.
  let corner = 0;
  let left = 0;
  for (let block = 0; block < pattern.length; block += wordSize) {
    const rows = codes.first.subarray(block, block + wordSize);
    const start = Math.max(0, block - reach);
    while (left < start) corner += differences[left++] ?? 0;
    for (const [bit, code] of rows.entries()) rowsWith[code] = (rowsWith[code] ?? 0) | (1 << bit);
    const end = Math.min(text.length, block + rows.length + reach);
    advanceBlock(codes.second.subarray(start, end), rowsWith, {
      lastBit: rows.length - 1,
      differences: differences.subarray(start, end),
    });
    for (const code of rows) rowsWith[code] = 0;
    corner += rows.length;
  }
  return differences.subarray(left).reduce((edits, difference) => edits + difference, corner);
}

/**
 * Computes up to 32 rows of the table over the columns. Replaces the difference that entered each column from above
 * with the one that leaves it below.
 */
function advanceBlock(
  columns: Int32Array,
  rowsWith: Int32Array,
  { lastBit, differences }: { readonly lastBit: number; readonly differences: Int8Array },
): void {
  let rises = -1;
  let falls = 0;
  for (let column = 0; column < columns.length; column++) {
    const carry = differences[column] ?? 0;
    const matches = rowsWith[columns[column] ?? 0] ?? 0;
    const enteringFall = carry >>> 31;
    const equal = matches | enteringFall;
    const vertical = matches | falls;
    const horizontal = (((equal & rises) + rises) ^ rises) | equal;
    const up = falls | ~(horizontal | rises);
    const down = rises & horizontal;
    differences[column] = ((up >>> lastBit) & 1) - ((down >>> lastBit) & 1);
    const upShifted = (up << 1) | (carry > 0 ? 1 : 0);
    const downShifted = (down << 1) | enteringFall;
    rises = downShifted | ~(vertical | upShifted);
    falls = upShifted & vertical;
  }
}

/** Two lists without the items at their beginning and end that they have in common. */
interface CommonEnds {
  readonly first: readonly string[];
  readonly second: readonly string[];
  /** The number of items removed from each list. */
  readonly shared: number;
}

/** Removes the items that two lists have in common at their beginning and end. */
export function trimCommonEnds(first: readonly string[], second: readonly string[]): CommonEnds {
  let start = 0;
  while (start < first.length && start < second.length && first[start] === second[start]) start++;
  let firstEnd = first.length;
  let secondEnd = second.length;
  while (firstEnd > start && secondEnd > start && first[firstEnd - 1] === second[secondEnd - 1]) {
    firstEnd--;
    secondEnd--;
  }
  return {
    first: first.slice(start, firstEnd),
    second: second.slice(start, secondEnd),
    shared: start + first.length - firstEnd,
  };
}

/** Two lists of texts as numbers, which are quick to compare; equal texts have equal numbers. */
interface ItemCodes {
  readonly first: Int32Array;
  readonly second: Int32Array;
  /** The number of different texts. The numbers count from 0. */
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
