import type { CasedTrial } from '../schema/result.ts';
import type { TrialSpec } from '../schema/trial.ts';

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
