import type { Criterion } from './scorecard-result.ts';
import type { VerdictNumbers } from './verdict.ts';

/** What a verdict says of a criterion that is true or false. */
export type Truth = 'true' | 'false' | 'not-applicable' | 'not-measured';

const tolerance = 1e-9;

/**
 * Whether a criterion is true, by the verdict of its metric: by its bounds where it has some, else by whether the verdict
 * passed, else by a value of 1 or 0. A value between them is neither, so it is not measured.
 */
export function truthOf(
  { atLeast, atMost }: Pick<Criterion, 'atLeast' | 'atMost'>,
  verdict: VerdictNumbers | undefined,
): Truth {
  if (verdict === undefined || verdict.status === 'failed') return 'not-measured';
  if (verdict.status === 'not-applicable') return 'not-applicable';
  const { value, unit, passed } = verdict;
  if (atLeast !== undefined || atMost !== undefined) {
    return value >= (atLeast ?? -Infinity) - tolerance && value <= (atMost ?? Infinity) + tolerance
      ? 'true'
      : 'false';
  }
  if (passed !== undefined) return passed ? 'true' : 'false';
  if (unit !== undefined) return 'not-measured';
  if (value >= 1 - tolerance) return 'true';
  return value <= tolerance ? 'false' : 'not-measured';
}
