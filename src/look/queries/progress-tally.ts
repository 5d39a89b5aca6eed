import { type CaseMeans, createCaseMeans } from '../../decide/analysis/summary/case-means.ts';
import { createClusterNumbers, estimateMean } from '../../decide/analysis/summary/estimates.ts';
import type { Spending } from '../../evaluate/run/limits/budget-book.ts';
import type { Outcome, ScoredTrial } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Interval } from '../../core/stats/interval.ts';

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
  /** The number of finished trials, including the ones stored in an earlier part of the run. */
  readonly done: number;
  /** The number of trials stored in an earlier part of the run. */
  readonly kept: number;
  /** The number of trials being made now. */
  readonly inFlight: number;
  /** The number of answers that judges are asked about now. */
  readonly judging: number;
  /** The number of failed trials by error code. */
  readonly errors: ReadonlyMap<string, number>;
  readonly scores: readonly ScoreSoFar[];
  readonly spent: Spending;
  /** The cost limit of the run in US dollars. */
  readonly maxCost?: number;
}

/** Creates a tally that counts the trials of an active run. */
export function createProgressTally() {
  let [planned, done, kept, inFlight, judging] = [0, 0, 0, 0, 0];
  let attempts = 1;
  let dataset: Run['dataset'] | undefined;
  let maxCost: number | undefined;
  const errors = new Map<string, number>();
  const totals = new Map<string, ScoreTally>();

  const add = (trials: readonly Outcome[]) => {
    for (const { trial, case: of, scorecard } of trials) {
      done += 1;
      if (trial.error !== undefined) errors.set(trial.error.code, (errors.get(trial.error.code) ?? 0) + 1);
      if (typeof scorecard?.total !== 'number') continue;
      const tally = totals.get(trial.target) ?? createScoreTally(dataset);
      totals.set(trial.target, tally);
      tally.add({ trial, case: of }, scorecard.total);
    }
  };
  const scoreOf = ([target, tally]: [string, ScoreTally]): ScoreSoFar => {
    const { estimate, lower, upper } = tally.read();
    return {
      target,
      interval: attempts === 1 ? { estimate, lower, upper } : { estimate, lower: null, upper: null },
    };
  };

  return {
    begin: (run: Run) => {
      planned = run.dataset.cases * run.targets.length * run.attempts;
      attempts = run.attempts;
      dataset = run.dataset;
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
    judge: (change: number) => {
      judging += change;
    },
    read: (): Omit<ProgressTally, 'spent'> => ({
      planned,
      done,
      kept,
      inFlight,
      judging,
      errors,
      scores: Array.from(totals, scoreOf),
      maxCost,
    }),
  };
}

type ScoreTally = ReturnType<typeof createScoreTally>;

/** Creates the mean of a target's scores so far, with the interval that the report will have. */
function createScoreTally(dataset: Run['dataset'] | undefined) {
  const means: CaseMeans = createCaseMeans(1, createClusterNumbers(dataset));
  let known: ScoreSoFar['interval'] = { estimate: null, lower: null, upper: null };
  let [added, shown] = [0, 0];
  return {
    add: (...score: Parameters<CaseMeans['add']>): void => {
      means.add(...score);
      added += 1;
    },
    /** Returns the interval; of many scores, a new one once there is one more in a hundred. */
    read: (): ScoreSoFar['interval'] => {
      if (added - shown > added / 100 || added === 0) {
        const { value: estimate, lower, upper } = estimateMean(means);
        known = { estimate, lower, upper };
        shown = added;
      }
      return known;
    },
  };
}
