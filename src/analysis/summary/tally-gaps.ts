import type { Outcome } from '../../schema/result.ts';
import type { TrialCounts } from '../../schema/summary.ts';
import { isTargetError } from '../../schema/trial.ts';
import { gapIn, someVerdict } from '../../schema/verdict.ts';

/** Counts trials that are recorded and not, or not wholly, scored. */
export interface GapTally {
  /** Counts a trial, and says what is missing of it. */
  add(outcome: Outcome): 'nothing' | 'a verdict' | 'all';
  summarize(): Pick<TrialCounts, 'spoilt' | 'notRecorded' | 'judgeFaults' | 'unchecked' | 'unscored'>;
}

/** @param hasMetrics - Whether there is something to score a trial by. */
export function createGapTally(hasMetrics: boolean): GapTally {
  let [spoilt, notRecorded, judgeFaults, unchecked, unscored] = [0, 0, 0, 0, 0];
  return {
    add: ({ trial, verdicts, scorecard }) => {
      const gap = gapIn(verdicts);
      if (gap === 'spoilt') {
        spoilt += 1;
        return 'all';
      }
      if (trial.status === 'failed' && !isTargetError(trial)) notRecorded += 1;
      if (gap === 'judge-fault') {
        judgeFaults += 1;
        return 'a verdict';
      }
      if (trial.status === 'completed' && isUnchecked(verdicts, scorecard)) unchecked += 1;
      if (!hasMetrics || trial.status === 'cancelled' || scorecard !== null || gap === undefined)
        return 'nothing';
      unscored += 1;
      return 'all';
    },
    summarize: () => ({
      ...(spoilt > 0 && { spoilt }),
      ...(notRecorded > 0 && { notRecorded }),
      ...(judgeFaults > 0 && { judgeFaults }),
      ...(unchecked > 0 && { unchecked }),
      ...(unscored > 0 && { unscored }),
    }),
  };
}

/** Whether a trial has no total although no verdict is missing: nothing that can be checked is expected of it. */
function isUnchecked(verdicts: Outcome['verdicts'], scorecard: Outcome['scorecard']): boolean {
  if (scorecard === null || scorecard.total !== null) return false;
  return !someVerdict(verdicts, ({ status }) => status === 'failed');
}
