import type { Verdict } from '../../core/schema/verdict.ts';
import { share } from '../../core/schema/json.ts';

export type NotApplicable = Extract<Verdict, { status: 'not-applicable' }>;
export type Scored = Extract<Verdict, { status: 'scored' }>;

/** Returns the verdict on an attempt that a metric has nothing to say about. */
export function notApplicable(reason: string): NotApplicable {
  return { status: 'not-applicable', reason };
}

/** Returns the verdict of a metric that passes or fails: 1 or 0. */
export function passOrFail(passed: boolean, details?: Pick<Scored, 'explanation' | 'evidence'>): Scored {
  return { status: 'scored', value: passed ? 1 : 0, passed, ...details };
}

/** Returns the option of the least value that passes. */
export function thresholdOption() {
  return share().optional().describe('The least value that passes.');
}

/** Returns whether a value passes: from the threshold on, a rounding error below it included. Undefined without a threshold. */
export function reaches(value: number, threshold: number | undefined): boolean | undefined {
  return threshold === undefined ? undefined : value >= threshold - 1e-9;
}
