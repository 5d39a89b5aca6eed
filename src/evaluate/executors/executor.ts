import type { CasedTrial } from '../../core/schema/result.ts';
import type { TrialSpec } from '../../core/schema/trial.ts';

/** The concurrency of an execution, and the signal that ends it. */
export interface ExecutionLimits {
  readonly concurrency: number;
  /** The name under which executions share their concurrency, where an executor lets them. */
  readonly pool?: string;
  /** Called, perhaps several times, when there is no more work to begin. */
  readonly onLastBegun?: () => void;
  /** Once aborted, nothing new is started; work in flight is finished. */
  readonly stop: AbortSignal;
}

/**
 * An executor, which decides where work is done and how much of it at a time. It knows nothing about the work itself.
 */
export interface Executor {
  /**
   * Works through the items and yields results as they come, in groups of all that are ready, so that they can be
   * stored together. Pulls items only as fast as results are taken. Throws the first error of `items` or `work`, once
   * everything that was in flight has finished and been yielded.
   */
  execute<Item, Result>(
    items: AsyncIterable<Item>,
    work: (item: Item) => Promise<Result>,
    limits: ExecutionLimits,
  ): AsyncIterable<Result[]>;
}

/**
 * The maker of a run's trials, which makes them in this process or hands their specifications to other machines that
 * have the same targets. Budgets, circuit breakers and the record stay with the run.
 */
export interface TrialMaker {
  /**
   * Makes one trial. Never rejects because of a target: whatever happens becomes a record. Resolves to undefined when
   * the run stopped before the first question of the trial was asked.
   */
  make(spec: TrialSpec): Promise<CasedTrial | undefined>;
}
