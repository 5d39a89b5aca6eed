import type { Spending } from '../run/limits/budget-book.ts';
import type { Outcome, ScoredTrial } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import type { Interval } from '../stats/interval.ts';
import { createMeanAccumulator, type MeanAccumulator } from '../stats/mean-interval.ts';

/** The score of a target so far. */
export interface ScoreSoFar {
  readonly target: string;
  /** The mean with its interval; without limits when cases have several attempts, which are not independent. */
  readonly interval: Pick<Interval, 'estimate' | 'lower' | 'upper'>;
}

/** The state of an active run. */
export interface ProgressTally {
  /** The number of planned trials, without those that turned out not to be needed. */
  readonly planned: number;
  /** The number of finished trials, including those kept from an earlier part of the run. */
  readonly done: number;
  /** The number of trials kept from an earlier part of the run. */
  readonly kept: number;
  /** The number of trials being made now. */
  readonly inFlight: number;
  /** The number of failed trials by error code. */
  readonly errors: ReadonlyMap<string, number>;
  readonly scores: readonly ScoreSoFar[];
  readonly spent: Spending;
  /** The cost limit of the run in US dollars. */
  readonly maxCost?: number | undefined;
}

/** Creates a tally that counts the trials of an active run. */
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
    skip: (trials: number) => {
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
