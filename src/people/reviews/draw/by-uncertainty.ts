import type { Random } from '../../../core/stats/random.ts';

/** The uncertainties of the answers of a frame, and the number of answers to draw. */
export interface UncertaintyDraw {
  /** From 0 to 1. */
  readonly uncertainties: readonly number[];
  readonly count: number;
  /** The share ε of the draw that ignores uncertainty, from 0 to 1; at least 0.2 for stable weights. */
  readonly floor: number;
}

/**
 * Returns the probability with which each answer is drawn: `count` times ε/N + (1 − ε)·u/Σu, at most 1; the sum is `count`.
 * What a probability would exceed 1 by goes to the others in the same proportions.
 *
 * Method: T. Zrnic & E. Candès, Active statistical inference, ICML 2024 (arXiv 2403.03208), section 4.
 */
export function inclusionProbabilities({ uncertainties, count, floor }: UncertaintyDraw): number[] {
  const n = uncertainties.length;
  if (count >= n) return uncertainties.map(() => 1);
  const all = uncertainties.reduce((sum, value) => sum + value, 0);
  const shares = uncertainties.map((value) => (all === 0 ? 1 / n : floor / n + (1 - floor) * (value / all)));
  const certain = new Set<number>();
  for (;;) {
    const left = shares.reduce((sum, share, index) => (certain.has(index) ? sum : sum + share), 0);
    const scale = left === 0 ? 0 : (count - certain.size) / left;
    const above = shares.flatMap((share, index) => (!certain.has(index) && share * scale > 1 ? [index] : []));
    if (above.length === 0) return shares.map((share, index) => (certain.has(index) ? 1 : share * scale));
    for (const index of above) certain.add(index);
  }
}

/**
 * Draws indexes so that each is drawn with its probability; as many as the sum of the probabilities, if that is a whole
 * number.
 *
 * Method: systematic sampling of a random order (W. G. Madow, Annals of Mathematical Statistics 20 (1949)).
 */
export function sampleByProbability(probabilities: readonly number[], random: Random): number[] {
  const order = probabilities
    .map((probability, index) => ({ probability, index, key: random.next() }))
    .sort((one, other) => one.key - other.key);
  let next = random.next();
  let passed = 0;
  const drawn: number[] = [];
  for (const { probability, index } of order) {
    passed += probability;
    // The allowance keeps an answer whose probability is 1 from being missed through rounding.
    if (passed + 1e-9 < next) continue;
    drawn.push(index);
    next += 1;
  }
  return drawn;
}
