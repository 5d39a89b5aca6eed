import type { BusyAccount } from '../models/account/rate-limiter.ts';
import type { Spending } from '../run/limits/budget.ts';
import type { Outcome, ScoredTrial } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import type { Interval } from '../stats/interval.ts';
import { createMeanAccumulator, type MeanAccumulator } from '../stats/mean-interval.ts';

/** The score of a target so far. */
export interface ScoreSoFar {
  readonly target: string;
  /** Has no limits where cases are tried more than once: their attempts are not independent. */
  readonly interval: Pick<Interval, 'estimate' | 'lower' | 'upper'>;
}

/** Where a run stands. */
export interface ProgressTally {
  /** Without those that turned out not to be needed. */
  readonly planned: number;
  /** Of the planned ones, with those that were kept. */
  readonly done: number;
  /** Done in an earlier part of the run. */
  readonly kept: number;
  /** Being made now. */
  readonly inFlight: number;
  /** How often calls failed with each code. */
  readonly errors: ReadonlyMap<string, number>;
  readonly scores: readonly ScoreSoFar[];
  readonly spent: Spending;
  /** The most that the run may cost, in US dollars. */
  readonly maxCost?: number | undefined;
  /** Accounts on which calls wait for their turn. */
  readonly busyAccounts?: readonly BusyAccount[];
}

/** Counts a run as it goes on. */
export function createProgressTally() {
  let [planned, done, kept, inFlight] = [0, 0, 0, 0];
  let attempts = 1;
  let maxCost: number | undefined;
  const errors = new Map<string, number>();
  const totals = new Map<string, MeanAccumulator>();

  const add = (trials: readonly Outcome[]) => {
    for (const { trial, scorecard } of trials) {
      done += 1;
      if (trial.error !== undefined) errors.set(trial.error.code, (errors.get(trial.error.code) ?? 0) + 1);
      if (typeof scorecard?.total !== 'number') continue;
      const mean = totals.get(trial.target) ?? createMeanAccumulator();
      totals.set(trial.target, mean);
      mean.add(scorecard.total);
    }
  };
  const scoreOf = ([target, mean]: [string, MeanAccumulator]): ScoreSoFar => {
    const { estimate, lower, upper } = mean.interval({ confidence: 0.95 });
    return {
      target,
      interval: attempts === 1 ? { estimate, lower, upper } : { estimate, lower: null, upper: null },
    };
  };

  return {
    begin: (run: Run) => {
      planned = run.dataset.cases * run.targets.length * run.attempts;
      attempts = run.attempts;
      maxCost = run.settings.maxCost;
    },
    add,
    keep: (trials: readonly ScoredTrial[]) => {
      kept += trials.length;
      add(trials);
    },
    spare: (trials: number) => {
      planned -= trials;
    },
    call: (change: number) => {
      inFlight += change;
    },
    read: (): Omit<ProgressTally, 'spent'> => ({
      planned,
      done,
      kept,
      inFlight,
      errors,
      scores: Array.from(totals, scoreOf),
      maxCost,
    }),
  };
}
