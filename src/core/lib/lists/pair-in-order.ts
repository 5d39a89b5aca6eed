/**
 * Pairs items of two lists in order, as many as can be: a longest common subsequence. Returns the places of each pair.
 */
export function pairInOrder<One, Other>(
  one: readonly One[],
  other: readonly Other[],
  isSame: (one: One, other: Other) => boolean,
): [number, number][] {
  const width = other.length + 1;
  const same = one.map((item) => other.map((each) => isSame(item, each)));
  const lengths = new Uint32Array((one.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = one.length - 1; row >= 0; row -= 1) {
    for (let column = other.length - 1; column >= 0; column -= 1) {
      const skipped = Math.max(at(row + 1, column), at(row, column + 1));
      const isPair = same[row]?.[column] === true;
      lengths[row * width + column] = isPair ? at(row + 1, column + 1) + 1 : skipped;
    }
  }
  const pairs: [number, number][] = [];
  let [row, column] = [0, 0];
  while (row < one.length && column < other.length) {
    if (same[row]?.[column] === true) {
      pairs.push([row, column]);
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}
