import type { FailureKind, Run, RunStop } from '../../../core/schema/run.ts';
import type { Trial } from '../../../core/schema/trial.ts';
import { type Budget, createBudget } from './budget.ts';
import { breakerLimits, createCircuitBreaker } from './circuit-breaker.ts';

/** A breaker for one target, which counts the trials of all processes that work on the run. */
export interface TargetBreaker {
  /** Counts a recorded trial. Resolves once the others know of a failure: nothing further is begun before. */
  add(trial: Trial): Promise<void>;
}

/** Called once, when a target has failed too often: with the kinds of its failures and their number in a row. */
export type OnOpen = (failures: FailureKind[], inARow: number) => void;

/**
 * The limits of a run, which hold over everything that works on it: its budget, its repeats, its failures in a row, and the
 * reason why it stops. One implementation counts in this process, another one in records that several processes share.
 */
export interface RunLimits extends AsyncDisposable {
  readonly budget: Budget;
  /** Takes one of the repeats that the whole run may make. Returns false when none is left. */
  takeRepeat(): Promise<boolean>;
  /** Creates the breaker of a target. */
  createBreaker(
    target: string,
    settings: Pick<Run['settings'], 'concurrency' | 'stopAfterFailures'>,
    onOpen: OnOpen,
  ): TargetBreaker;
  /** Counts an answer that came too late, with its known cost in US dollars. */
  addLate(cost?: number): void;
  /** Returns the number of answers that came too late, and their known costs. */
  late(): LateAnswers;
  /** Passes the reason on why this process stops, to the other processes that work on the run. */
  announce(stop: RunStop): void;
}

/** The answers that came too late: after their call was given up, or after another process had stored one. */
export interface LateAnswers {
  readonly answers: number;
  /** US dollars. */
  readonly cost: number;
}

/** The surroundings of the limits of a run. */
export interface LimitsNeeds {
  readonly runId: string;
  readonly settings: Pick<Run['settings'], 'maxCost' | 'maxRunRetries'>;
  /** True when judges are asked about trials. */
  readonly areJudged: boolean;
  /** Aborted when nothing new may be started. */
  readonly stop: AbortSignal;
  /** Called when there is no money left for one more trial; see `BudgetNeeds`. */
  readonly onSpent: (spent: number, next: number) => void;
  /** Called with the reason why another process stopped the whole run. */
  readonly onStop: (stop: RunStop) => void;
  /** Called with the error that keeps the limits from being known, and that will not pass. */
  readonly onFault: (error: unknown) => void;
}

/** Creates the limits of a run. */
export type LimitsFactory = (needs: LimitsNeeds) => RunLimits;

/** Creates limits that count in this process alone. */
export function createOwnLimits({ settings, ...needs }: LimitsNeeds): RunLimits {
  const { maxCost, maxRunRetries = Infinity } = settings;
  let repeats = 0;
  let late: LateAnswers = { answers: 0, cost: 0 };
  return {
    budget: createBudget(maxCost, needs),
    takeRepeat: async () => (repeats += 1) <= maxRunRetries,
    createBreaker: (_target, rules, onOpen) => {
      const breaker = createCircuitBreaker(breakerLimits(rules));
      return {
        add: async (trial) => {
          const failures = breaker.add(trial);
          if (failures !== undefined) onOpen(failures, breaker.inARow());
        },
      };
    },
    addLate: (cost = 0) => {
      late = { answers: late.answers + 1, cost: late.cost + cost };
    },
    late: () => late,
    announce: () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}
