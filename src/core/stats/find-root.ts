/** A function and two points at which it has different signs. Infinite values have signs, too. */
export type Bracket = {
  readonly low: number;
  readonly high: number;
  readonly of: (x: number) => number;
};

const MAX_STEPS = 400;

/**
 * Finds the point at which a continuous function changes its sign, to a few units of the last digit, with about ten
 * evaluations for a smooth function.
 *
 * Method: T. R. Chandrupatla, "A new hybrid quadratic/bisection algorithm", Advances in Engineering Software 28 (1997):
 * inverse quadratic interpolation where it is safe, else bisection.
 */
export function findRoot({ low, high, of }: Bracket): number {
  let [a, b, c] = [low, high, low];
  let [ofA, ofB] = [of(a), of(b)];
  let ofC = ofA;
  let share = 0.5;
  for (let step = 0; step < MAX_STEPS && ofA !== 0 && ofB !== 0; step += 1) {
    const least = (2 * Number.EPSILON * Math.abs(Math.abs(ofA) < Math.abs(ofB) ? a : b)) / Math.abs(b - a);
    // This also ends the search when both points are the same.
    if (!(least <= 0.5)) break;
    share = Math.min(1 - least, Math.max(least, share));
    const x = a + share * (b - a);
    const ofX = of(x);
    if (ofX < 0 === ofA < 0) [c, ofC] = [a, ofA];
    else [c, ofC, b, ofB] = [b, ofB, a, ofA];
    [a, ofA] = [x, ofX];
    share = shareOfStep({ a, b, c, ofA, ofB, ofC });
  }
  return Math.abs(ofA) <= Math.abs(ofB) ? a : b;
}

type Points = Readonly<Record<'a' | 'b' | 'c' | 'ofA' | 'ofB' | 'ofC', number>>;

/** Returns the distance of the next point from a, as a share of the distance from a to b. */
function shareOfStep({ a, b, c, ofA, ofB, ofC }: Points): number {
  const xi = (a - b) / (c - b);
  const phi = (ofA - ofB) / (ofC - ofB);
  const isSafe = phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi;
  if (!isSafe) return 0.5;
  const first = (ofA / (ofB - ofA)) * (ofC / (ofB - ofC));
  return first + ((c - a) / (b - a)) * (ofA / (ofC - ofA)) * (ofB / (ofC - ofB));
}
