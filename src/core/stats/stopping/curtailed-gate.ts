import { checkDomain } from '../check-domain.ts';
import { checkProgress, type Progress, type StoppingDecision } from './sequence-decision.ts';

/** The state of a fixed gate, which may be settled early. */
export type CurtailedGate = {
  readonly status: 'defined';
  readonly decision: StoppingDecision;
  /** The number of cases judged so far. */
  readonly n: number;
  /** Successes that a pass still needs; 0 once passed. */
  readonly successesNeeded: number;
  /** Failures that a pass still allows; −1 once failed. */
  readonly failuresLeft: number;
};

/**
 * Decides the gate "at least `required` of `planned` cases pass" as soon as the remaining cases cannot change its
 * verdict. The verdict is the one that all cases would have, so nothing is lost by stopping.
 *
 * Method: curtailed inspection (A. Wald, Sequential Analysis (1947), introduction).
 *
 * @throws RangeError unless all are whole numbers with 0 ≤ successes ≤ trials ≤ planned and 0 ≤ required ≤ planned.
 */
export function curtailedGate(
  options: Progress & {
    /** The number of cases in the full plan. */
    readonly planned: number;
    /** The number of successes among them that a pass needs. */
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
