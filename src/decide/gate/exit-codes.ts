import type { Decision } from '../../core/schema/decision.ts';

/** The exit code of each decision of a gate. */
export const exitCodes: Readonly<Record<Decision['outcome'], number>> = {
  pass: 0,
  fail: 1,
  'not-measured': 2,
  inconclusive: 3,
};
