/** A linear mapping from values to pixels, with the values at which an axis has its lines. */
export interface Scale {
  (value: number): number;
  readonly ticks: readonly number[];
}

/** The ends of the values on an axis. */
export type Domain = readonly [from: number, to: number];

/** Creates a scale. Its ticks are round numbers: about `count` of them. */
export function createScale([from, to]: Domain, [start, end]: Domain, count = 5): Scale {
  const span = to - from || 1;
  const toPixels = (value: number): number => start + ((value - from) / span) * (end - start);
  return Object.assign(toPixels, { ticks: ticksBetween(from, to, count) });
}

/** Returns round numbers in a domain: multiples of 1, 2 or 5 times a power of ten. */
export function ticksBetween(from: number, to: number, count: number): number[] {
  const step = roundStep((to - from) / Math.max(1, count));
  if (!(step > 0)) return [from];
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => roundTo(first + index, step));
}

/** Returns the product without the rounding error that 3 × 0.1 has. */
function roundTo(multiple: number, step: number): number {
  return Number((multiple * step).toPrecision(12));
}

function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const multiple = [1, 2, 5, 10].find((candidate) => rough / power <= candidate * (1 + 1e-9)) ?? 10;
  return multiple * power;
}

/** Returns the domain that holds all values, widened to round numbers; [0, 1] without values. */
export function domainOf(values: Iterable<number | null>, count = 5): Domain {
  let [from, to] = [Infinity, -Infinity];
  for (const value of values) {
    if (value === null) continue;
    from = Math.min(from, value);
    to = Math.max(to, value);
  }
  if (from > to) return [0, 1];
  if (from === 0 && to === 0) return [0, 1];
  if (isOneValue(from, to)) return [Math.min(0, 2 * from), Math.max(0, 2 * to)];
  const step = roundStep((to - from) / count);
  return [roundTo(Math.floor(from / step + 1e-9), step), roundTo(Math.ceil(to / step - 1e-9), step)];
}

/** Returns whether two values are too close for round numbers of twelve digits, or for any numbers, to lie between them. */
function isOneValue(from: number, to: number): boolean {
  return to - from <= Math.max(1e-300, 1e-9 * Math.max(Math.abs(from), Math.abs(to)));
}
