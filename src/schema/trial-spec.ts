import type { Case } from './case.ts';

/** One trial to be made, frozen before anything is called. */
export interface TrialSpec {
  /** Hash of the case's content, the target's fingerprint and the attempt: the same key is the same trial. */
  readonly key: string;
  readonly case: Case;
  readonly caseHash: string;
  /** Place in the plan, from 0: case by case, then target, then attempt. */
  readonly ordinal: number;
  readonly target: string;
  /** Counts from 1. */
  readonly attempt: number;
  readonly seed: number;
}
