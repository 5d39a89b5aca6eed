import type { Finding } from './gate-rule.ts';
import type { SelectedCases } from './select-cases.ts';

const tolerance = 1e-9;

/** What was measured, or what would be had all that is missing come out as badly or as well as it could. */
export type Supposition = 'measured' | 'worst' | 'best';

/**
 * Decides on what was measured when that is enough. Where it is not, decides only what all that is missing could not change:
 * the same finding at worst and at best; anything else is not measured.
 */
export function holdWithGaps(
  { planned, missing }: Pick<SelectedCases, 'planned' | 'missing'>,
  minCoverage: number,
  judge: (supposition: Supposition) => Finding,
): Finding {
  const isEnough = planned > missing && (planned - missing) / planned >= minCoverage - tolerance;
  if (isEnough) return judge('measured');
  const [worst, best] = [judge('worst'), judge('best')];
  const gap = `${missing} of ${planned} trials were not measured`;
  if (worst.outcome === best.outcome) {
    return { ...worst, reason: `${gap}, and whatever they had given: ${worst.reason}` };
  }
  const { threshold, n } = worst;
  const ends = `at worst: ${worst.arithmetic}; at best: ${best.arithmetic}`;
  return {
    outcome: 'not-measured',
    reason: `${gap}: it could be anything from ${worst.outcome} to ${best.outcome}`,
    arithmetic: ends,
    value: null,
    threshold,
    n,
  };
}
