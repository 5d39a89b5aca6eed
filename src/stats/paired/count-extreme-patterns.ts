/**
 * How many of the 2^n patterns of signs give a sum at least `least` away from 0, for up to 30 numbers or so.
 *
 * Method: all sums of each half, sorted (Horowitz & Sahni, JACM 21 (1974)); for every sum of one half the sums of the
 * other that keep the total inside ± `least` are a stretch whose ends only move one way.
 */
export function countExtremePatterns(numbers: Float64Array, least: number): number {
  const half = numbers.length >>> 1;
  const first = signedSums(numbers.subarray(0, half));
  const second = signedSums(numbers.subarray(half));
  if (least <= 0) return first.length * second.length;
  let inside = 0;
  let from = second.length;
  let to = second.length;
  for (const sum of first) {
    while (from > 0 && (second[from - 1] as number) + sum > -least) from -= 1;
    while (to > 0 && (second[to - 1] as number) + sum >= least) to -= 1;
    inside += to - from;
  }
  return first.length * second.length - inside;
}

/** The sums under every pattern of signs, in ascending order. */
function signedSums(numbers: Float64Array): Float64Array {
  let sums = Float64Array.of(0);
  for (const number of numbers) {
    const next = new Float64Array(2 * sums.length);
    next.set(sums.map((sum) => sum - number));
    next.set(
      sums.map((sum) => sum + number),
      sums.length,
    );
    sums = next;
  }
  return sums.sort();
}
