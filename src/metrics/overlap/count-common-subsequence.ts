/** Length of the longest common subsequence of two lists. Time is the product of their lengths, memory that of one. */
export function countCommonSubsequence(first: readonly string[], second: readonly string[]): number {
  let above = new Uint32Array(second.length + 1);
  let row = new Uint32Array(second.length + 1);
  for (const item of first) {
    let left = 0;
    for (const [index, other] of second.entries()) {
      left = item === other ? (above[index] ?? 0) + 1 : Math.max(left, above[index + 1] ?? 0);
      row[index + 1] = left;
    }
    [above, row] = [row, above];
  }
  return above[second.length] ?? 0;
}
