/** What the tables need to know of a run. */
export interface OpenRun {
  /** The number under which its scores stand. */
  readonly number: number;
  /** The number under which its cases and trials stand: the same, or that of the run whose trials it shares. */
  readonly trials: number;
  readonly targets: readonly string[];
  readonly attempts: number;
}
