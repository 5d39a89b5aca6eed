import { normalQuantile } from '../../stats/normal.ts';

/** A stratum with the labels planned in it. */
export interface PlannedStratum {
  /** The number of answers, and of those to be labelled. */
  readonly size: number;
  readonly labels: number;
  /** The share of answers that people are expected to pass. */
  readonly share: number;
}

/**
 * Returns the half-width that the 95 % interval of the share passed by people is expected to have, for the answers of the
 * frame; null when a stratum has fewer than two labels. It is the normal approximation with the finite population
 * correction, for planning alone: W. G. Cochran, Sampling Techniques, 3rd ed. (1977), formula 5.12.
 */
export function expectedHalfWidth(strata: readonly PlannedStratum[]): number | null {
  const all = strata.reduce((sum, { size }) => sum + size, 0);
  let variance = 0;
  for (const { size, labels, share } of strata) {
    if (labels === size) continue;
    if (labels < 2) return null;
    variance += (size / all) ** 2 * ((share * (1 - share)) / labels) * (1 - labels / size);
  }
  return all === 0 ? null : normalQuantile(0.975) * Math.sqrt(variance);
}
