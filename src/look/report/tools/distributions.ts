import type { RangeCount } from '../../../core/schema/api/tools-view.ts';

/** The most parts of a distribution. */
const mostParts = 24;

/** A value with the number of times that it occurs. */
export type ValueCount = readonly [value: number, count: number];

/** Counts whole numbers: each on its own, or in ranges of equal size when they spread widely. */
export function countWhole(values: readonly ValueCount[]): RangeCount[] {
  if (values.length === 0) return [];
  let [least, most] = [Infinity, -Infinity];
  for (const [value] of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
  const size = Math.ceil((most - least + 1) / mostParts);
  const parts = Math.ceil((most - least + 1) / size);
  const counts = Array.from({ length: parts }, (_, part) => {
    return { from: least + part * size, to: least + (part + 1) * size, count: 0 };
  });
  for (const [value, count] of values) {
    const part = counts[Math.floor((value - least) / size)];
    if (part !== undefined) part.count += count;
  }
  return counts;
}

/**
 * Counts measured values of at least 0 in ranges of equal, round size. Values far out (above the third quartile by more than
 * three times the distance of the quartiles, Tukey's outer fence) are counted in a last range without an upper end.
 */
export function countMeasured(values: readonly ValueCount[]): RangeCount[] {
  const sorted = values.toSorted(([one], [other]) => one - other);
  const most = sorted.at(-1)?.[0];
  if (most === undefined) return [];
  const all = sorted.reduce((sum, [, count]) => sum + count, 0);
  const quartile = (share: number) => {
    let seen = 0;
    return sorted.find(([, count]) => (seen += count) >= share * all)?.[0] ?? most;
  };
  const [lower, upper] = [quartile(0.25), quartile(0.75)];
  const usual = Math.min(most, upper + 3 * Math.max(upper - lower, upper / 4));
  const size = roundSize(usual / 20);
  const parts = Math.floor(usual / size) + 1;
  const counts: RangeCount[] = Array.from({ length: parts }, (_, part) => {
    return { from: part * size, to: (part + 1) * size, count: 0 };
  });
  const beyond: RangeCount = { from: parts * size, to: null, count: 0 };
  for (const [value, count] of sorted) (counts[Math.floor(value / size)] ?? beyond).count += count;
  return beyond.count === 0 ? counts : [...counts, beyond];
}

/** Returns the least of 1, 2 or 5 times a power of ten that is not below a size. */
function roundSize(least: number): number {
  if (!(least > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5, 10].find((multiple) => least / power <= multiple * (1 + 1e-9)) ?? 10);
}
