/** Among fewer values, a sample is not worth looking at. */
const fewValues = 600;

/** The first and the last of some places in a list. */
type Range = readonly [first: number, last: number];

/**
 * The value that would stand at a place if all values up to the last place were in rising order. Moves them: afterwards
 * none before the place is larger, and none from there to the last place smaller. Takes time in proportion to their number.
 *
 * Method: R. W. Floyd & R. L. Rivest, Algorithm 489, Communications of the ACM 18 (1975). What is left is divided, as in
 * C. A. R. Hoare's FIND, by a value that a sample has shown to be near the wanted one.
 *
 * @param values - At least one, all finite.
 * @param place - From 0, up to the last place.
 */
export function selectRank(values: Float64Array, place: number, last = values.length - 1): number {
  narrowDown(values, place, [0, last]);
  return values[place] as number;
}

function narrowDown(values: Float64Array, place: number, [first, last]: Range): void {
  let [left, right] = [first, last];
  while (left < right) {
    if (right - left >= fewValues) narrowDown(values, place, sampleAround(place, [left, right]));
    const divider = values[place] as number;
    let [up, down] = [left, right];
    while (up <= down) {
      while ((values[up] as number) < divider) up += 1;
      while ((values[down] as number) > divider) down -= 1;
      if (up > down) break;
      const value = values[up] as number;
      values[up] = values[down] as number;
      values[down] = value;
      up += 1;
      down -= 1;
    }
    if (place <= down) right = down;
    else if (place >= up) left = up;
    else return;
  }
}

/** The places of a sample so large that its value at the place is most likely next to the wanted one, on the shorter side. */
function sampleAround(place: number, [left, right]: Range): Range {
  const n = right - left + 1;
  const rank = place - left + 1;
  const size = n ** (2 / 3) / 2;
  const spread = (Math.sqrt((Math.log(n) * size * (n - size)) / n) / 2) * Math.sign(rank - n / 2);
  return [
    Math.max(left, Math.floor(place - (rank * size) / n + spread)),
    Math.min(right, Math.floor(place + ((n - rank) * size) / n + spread)),
  ];
}
