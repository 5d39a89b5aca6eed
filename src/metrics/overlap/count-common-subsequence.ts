import { trimCommonEnds } from '../../lib/common-ends.ts';
import { codeItems } from '../../lib/item-codes.ts';

/** Cells of the table that are worked out at most: less than a second. */
const mostCells = 5e9;
const wordSize = 32;

/**
 * Length of the longest common subsequence of two lists. The bit-parallel algorithm of Crochemore and others (2001) in blocks of
 * 32: time is the product of the lengths over 32, memory their sum. Undefined where the product is more than `most`.
 */
export function countCommonSubsequence(
  first: readonly string[],
  second: readonly string[],
  most = mostCells,
): number | undefined {
  const rest = trimCommonEnds(first, second);
  if (rest.first.length * rest.second.length > most) return undefined;
  return rest.shared + countBetween(rest.first, rest.second);
}

function countBetween(first: readonly string[], second: readonly string[]): number {
  const codes = codeItems(first, second);
  const rowsWith = new Int32Array(codes.symbols);
  const carries = new Uint8Array(codes.second.length);
  let length = 0;
  for (let block = 0; block < codes.first.length; block += wordSize) {
    const rows = codes.first.subarray(block, block + wordSize);
    for (const [bit, code] of rows.entries()) rowsWith[code] = (rowsWith[code] ?? 0) | (1 << bit);
    length += advanceBlock(codes.second, rowsWith, carries);
    for (const code of rows) rowsWith[code] = 0;
  }
  return length;
}

/** Takes 32 rows of the table through all columns; how many of them end with a step. What the block above carries over is replaced by what this one does. */
function advanceBlock(columns: Int32Array, rowsWith: Int32Array, carries: Uint8Array): number {
  // A bit is off where the length grows by one from the row above.
  let level = -1;
  for (let column = 0; column < columns.length; column++) {
    const reached = level & (rowsWith[columns[column] ?? 0] ?? 0);
    const sum = (level + reached + (carries[column] ?? 0)) | 0;
    carries[column] = (reached | (level & ~sum)) >>> 31;
    level = sum | (level & ~reached);
  }
  return countBits(~level);
}

function countBits(word: number): number {
  let count = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) count++;
  return count;
}
