import type { UnitScope } from './unit-evidence.ts';

/** A case in [0, 1], higher being better: a number, or between which two it would be had all been measured. */
export interface CaseRange {
  readonly low: number;
  readonly high: number;
}

/** A mean that is to reach a threshold, and how it is told. */
export interface WatchedMean {
  /** In [0, 1], higher being better. */
  readonly threshold: number;
  /** The cases that the rule is about, by position. */
  readonly scope: Uint8Array;
  readonly units: UnitScope;
  /** Undefined for a case to which the rule does not apply; `unbounded` for one with a number that has no bounds. */
  readonly rangeAt: (position: number) => CaseRange | undefined | 'unbounded';
  readonly telling: Telling;
}

/** How a mean is told. */
export interface Telling {
  /** Of a mean in [0, 1], in the scale of the rule. */
  readonly toScale: (mean: number) => number;
  readonly say: (value: number) => string;
  /** What is shown when the rule holds, and when it does not. */
  readonly held: string;
  readonly broken: string;
}
