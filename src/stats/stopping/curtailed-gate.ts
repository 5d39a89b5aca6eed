import { checkDomain } from '../check-domain.ts';
import { checkProgress, type Progress, type StoppingDecision } from './sequence-decision.ts';

/** Whether the verdict of a fixed gate is already settled. */
export type CurtailedGate = {
  readonly status: 'defined';
  readonly decision: StoppingDecision;
  /** Cases judged so far. */
  readonly n: number;
  /** Successes that a pass still takes; 0 once passed. */
  readonly successesNeeded: number;
  /** Failures that a pass can still bear; −1 once failed. */
  readonly failuresLeft: number;
};

/**
 * The gate "at least `required` of `planned` cases pass", which stops as soon as the cases to come cannot change its
 * verdict. The verdict is the one that judging all would give, so nothing is lost by stopping.
 *
 * Method: curtailed inspection (A. Wald, Sequential Analysis (1947), introduction).
 *
 * @throws RangeError unless all are whole numbers with 0 ≤ successes ≤ trials ≤ planned and 0 ≤ required ≤ planned.
 */
export function curtailedGate(
  options: Progress & {
    /** Cases in the full plan. */
    readonly planned: number;
    /** Successes among them that a pass takes. */
    readonly required: number;
  },
): CurtailedGate {
  const { successes, trials, planned, required } = options;
  checkProgress(options);
  const isPlan = Number.isSafeInteger(planned) && planned >= trials;
  checkDomain(isPlan, 'planned', planned, `a whole number of at least trials (${trials})`);
  const isRequirement = Number.isSafeInteger(required) && required >= 0 && required <= planned;
  checkDomain(isRequirement, 'required', required, `a whole number from 0 to planned (${planned})`);
  const successesNeeded = Math.max(0, required - successes);
  const failuresLeft = Math.max(-1, planned - required - (trials - successes));
  const decision = successesNeeded === 0 ? 'pass' : failuresLeft < 0 ? 'fail' : 'continue';
  return { status: 'defined', decision, n: trials, successesNeeded, failuresLeft };
}
