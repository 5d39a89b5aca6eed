import type { ScorecardResult } from '../../schema/scorecard-result.ts';
import type { ScoredTrial } from '../../schema/scored-trial.ts';
import type { TrialSpec } from '../../schema/trial-spec.ts';
import { type AttemptRule, settleAttempts } from '../../stats/repeats/settle-attempts.ts';
import { attemptResult } from '../../analysis/attempts/attempt-result.ts';

/** An attempt that was scored. */
export interface ScoredAttempt {
  readonly trial: Pick<ScoredTrial['trial'], 'ordinal' | 'attempt' | 'status'>;
  readonly scorecard: Pick<ScorecardResult, 'total' | 'passed'> | null;
}

/** What is known of the attempts at the cases that are being tried. */
export interface AttemptBoard {
  /**
   * Begins with a case: the attempts of one target at it that are still to be made. All others were made before, and are
   * told sooner or later.
   */
  open(pending: readonly TrialSpec[]): void;
  /** An attempt was scored. False where nothing is known of its case, which has not begun or is settled. */
  tell(scored: ScoredAttempt): boolean;
  /** The next attempt that has to be made whatever comes of those under way; undefined while there is none. */
  take(): TrialSpec | undefined;
  /** Whether attempts are under way that others may depend on. */
  isWaiting(): boolean;
}

interface OpenCase {
  readonly pending: ReadonlyMap<number, TrialSpec>;
  /** By attempt: whether it passed, null where that was not measured. */
  readonly results: Map<number, boolean | null>;
  /** Attempts that are needed so far: from the first to this one. */
  needed: number;
}

/**
 * Decides which attempts are made. Of every case so many are made at a time as it takes at least to settle its verdict, so
 * that none is made in vain and the result is the same as if they were made one after the other.
 * @param onSpared - Told how many attempts at a case are not going to be made.
 */
export function createAttemptBoard(rule: AttemptRule, onSpared: (attempts: number) => void): AttemptBoard {
  const cases = new Map<number, OpenCase>();
  const ready: TrialSpec[] = [];
  const placeOf = ({ ordinal }: Pick<TrialSpec, 'ordinal'>) => Math.floor(ordinal / rule.planned);

  const goOn = (place: number, open: OpenCase): void => {
    while (isRoundOver(open)) {
      const results = Array.from({ length: open.needed }, (_, index) => open.results.get(index + 1) ?? null);
      const more = Math.min(leastNeeded(results, rule), rule.planned - open.needed);
      if (more === 0) {
        cases.delete(place);
        const spared = open.pending.keys().filter((attempt) => attempt > open.needed);
        onSpared(Array.from(spared).length);
        return;
      }
      for (let attempt = open.needed + 1; attempt <= open.needed + more; attempt += 1) {
        const spec = open.pending.get(attempt);
        if (spec !== undefined) ready.push(spec);
      }
      open.needed += more;
    }
  };

  return {
    open: (pending) => {
      const [first] = pending;
      if (first === undefined) return;
      const open = {
        pending: new Map(pending.map((spec) => [spec.attempt, spec])),
        results: new Map<number, boolean | null>(),
        needed: 0,
      };
      cases.set(placeOf(first), open);
      goOn(placeOf(first), open);
    },
    tell: (scored) => {
      const place = placeOf(scored.trial);
      const open = cases.get(place);
      if (open === undefined) return false;
      open.results.set(scored.trial.attempt, attemptResult(scored));
      goOn(place, open);
      return true;
    },
    take: () => ready.shift(),
    isWaiting: () => cases.size > 0,
  };
}

function isRoundOver({ results, needed }: OpenCase): boolean {
  for (let attempt = 1; attempt <= needed; attempt += 1) if (!results.has(attempt)) return false;
  return true;
}

/** How many more attempts it takes at least to settle the verdict; 0 when it is. */
function leastNeeded(results: readonly (boolean | null)[], rule: AttemptRule): number {
  if (settleAttempts({ ...rule, results }).decision !== 'continue') return 0;
  const count = (wanted: boolean) => results.filter((result) => result === wanted).length;
  return Math.min(rule.required - count(true), rule.planned - rule.required + 1 - count(false));
}
