import type { Json } from '../../schema/json.ts';

/** How far a number may be from the expected one, at most: by itself, and as a share of the expected one. */
export interface Nearness {
  readonly tolerance?: number | undefined;
  readonly relative?: number | undefined;
}

// 1.1 is 0.1 away from 1, and a little more in binary.
const roundingSlack = 1 + 1e-9;

/** Whether a value is a number within one of two distances of the expected number, both ends included. */
export function isNear(
  actual: Json | undefined,
  expected: number,
  { tolerance = 0, relative = 0 }: Nearness,
): boolean {
  if (typeof actual !== 'number') return false;
  const most = Math.max(tolerance, relative * Math.abs(expected));
  return Math.abs(actual - expected) <= most * roundingSlack;
}
