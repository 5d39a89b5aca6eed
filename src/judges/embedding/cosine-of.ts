/** The cosine of the angle between two vectors; not a number where either has no direction or they differ in length. */
export function cosineOf(first: readonly number[], second: readonly number[]): number {
  if (first.length !== second.length) return Number.NaN;
  return dot(first, second) / Math.sqrt(dot(first, first) * dot(second, second));
}

function dot(first: readonly number[], second: readonly number[]): number {
  let sum = 0;
  for (const [index, value] of first.entries()) sum += value * (second[index] ?? 0);
  return sum;
}
